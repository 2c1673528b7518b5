#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/time.h"

namespace stockout {

/// From `at` on, until the next step, demand is `times` what is written.
struct FactorStep {
  SimTime at{};
  double times = 1;  // at least 0
};

/// Demand that grows from an instant on.
struct Growth {
  enum class Form : std::uint8_t {
    compound,  // (1 + rate)^(elapsed / period)
    linear,    // 1 + rate * elapsed / period, never below 0
  };

  Form form = Form::compound;
  double rate = 0;       // in one period: 0.4 is 40 % more; above -1
  SimDuration period{};  // greater than 0
  SimTime from{};        // 1 before

  [[nodiscard]] double at(SimTime time) const;
};

/// Multiplier of a source's demand over time: steps (a multiplier, calendar peaks) times growths. Made up of
/// finite numbers of at least 0.
struct DemandFactor {
  std::vector<FactorStep> steps = {};  // sorted; 1 before the first
  std::vector<Growth> growths = {};

  /// Whether it is 1 for ever, so that nothing is drawn for it.
  [[nodiscard]] bool is_one() const { return steps.empty() && growths.empty(); }

  [[nodiscard]] double at(SimTime time) const;

  /// An upper bound of at() over [from, to]: the greatest step times the greatest of each growth.
  [[nodiscard]] double most(SimTime from, SimTime to) const;
};

}  // namespace stockout
