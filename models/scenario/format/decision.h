#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/scenario/format/placed_value.h"
#include "sim/core/time.h"

namespace stockout {

/// The longest terms of commitments that may be asked for: in words, and as lengths.
inline constexpr std::array<std::string_view, 3> kObligationNames{"none", "1y", "3y"};
inline constexpr std::array<SimDuration, 3> kObligationTerms{SimDuration::zero(), std::chrono::days{365},
                                                             std::chrono::days{3 * 365}};

/// One way to decide: values in the place of what is written.
struct DecisionChoice {
  std::string text;  // for people: "4", "1y", "two zones"
  std::vector<PlacedValue> changes;
};

/// A free choice of the planner.
struct DecisionVariable {
  std::string name;                     // unique: "reserved H100"
  std::vector<DecisionChoice> choices;  // at least one; numbers go up
};

/// Terms of a scenario for a recommendation, beside its goals.
struct DecisionTerms {
  std::vector<DecisionVariable> decisions;        // every combination of them may be bought
  std::optional<double> indifference_usd;         // whatever costs so much more at most is as good
  std::optional<double> undone_usd_per_gpu_h;     // the price of work that is not done
  std::optional<SimDuration> longest_obligation;  // the longest term of a commitment that may be begun
};

}  // namespace stockout
