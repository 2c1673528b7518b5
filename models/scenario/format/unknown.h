#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/scenario/format/placed_value.h"
#include "sim/core/time.h"

namespace stockout {

/// How likely the numbers of a range are before anything was observed.
enum class PriorLaw { uniform, log_uniform };

/// A number that nobody publishes, and between what it lies.
struct UnknownRange {
  std::vector<std::string> pointers;  // which all get the value
  double from = 0;
  double to = 0;               // more than `from`
  std::optional<double> step;  // the numbers are `from` plus a multiple of it; none: all in between
  PriorLaw law = PriorLaw::uniform;
  SimDuration unit{};     // the scenario gets a duration of so many; 0: it gets the number
  std::string unit_name;  // "h"
};

/// One way it may be: values in the place of what is written.
struct UnknownChoice {
  std::string text;   // for people: "fifo", "flex first"
  double weight = 1;  // against the others, above 0
  std::vector<PlacedValue> changes;
};

/// A value that nobody publishes, and its candidates: a range, or at least two choices.
struct Unknown {
  std::string name;  // unique: "hosts of us-central1-a"
  std::optional<UnknownRange> range;
  std::vector<UnknownChoice> choices;
  std::string said_in;  // for messages: `scenario.json:7: unknown "load"`

  /// The choice that a share of the prior's weight, in [0, 1), falls on.
  [[nodiscard]] std::size_t choice_at(double share) const;
  /// The number at a share of the prior's weight, in [0, 1], in the unit of the range.
  [[nodiscard]] double number_at(double share) const;
  /// The middle of the shares that make the same number: the share itself where there are no steps.
  [[nodiscard]] double settled(double share) const;
  /// That value for people: "24", "0.93", "1.5 h", "fifo".
  [[nodiscard]] std::string text_at(double share) const;
  /// Values that it puts into the scenario.
  [[nodiscard]] std::vector<PlacedValue> changes_at(double share) const;
};

}  // namespace stockout
