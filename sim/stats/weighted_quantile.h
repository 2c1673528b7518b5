#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/check.h"

namespace stockout {

/// Values, each with its weight above 0.
template <typename Value>
using WeightedValues = std::vector<std::pair<Value, double>>;

/// The least of the values that those of so much of the weight do not exceed: `share` from 0 to 1; of at
/// least one value.
template <typename Value>
[[nodiscard]] Value weighted_quantile(WeightedValues<Value> values, double share) {
  STOCKOUT_CHECK(!values.empty());
  std::ranges::sort(values);
  double total = 0;
  for (const auto& [value, weight] : values) total += weight;
  double below = 0;
  for (const auto& [value, weight] : values) {
    below += weight;
    if (below >= share * total) return value;
  }
  return values.back().first;
}

}  // namespace stockout
