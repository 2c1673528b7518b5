#pragma once

#include <cstddef>
#include <vector>

#include "models/experiment/comparison.h"
#include "sim/stats/interval.h"

namespace stockout {

/// Extra cost of one strategy over another.
struct CostDifference {
  Estimate more;               // USD; paired by replication, adjusted by controls if there are any
  bool may_be_chance = false;  // the interval includes 0, or there is none though something was drawn
};

/// The values of a strategy in so many replications: one that draws nothing is run once, and is the same in
/// all of them.
[[nodiscard]] std::vector<double> by_replication(const std::vector<double>& values, std::size_t replications);

/// Extra cost of strategy `other` over strategy `than`, by the differences within each replication, which has
/// the same random numbers for both. One that draws nothing is the same in every replication. The same cost
/// in every replication is no chance.
[[nodiscard]] CostDifference cost_difference(const Comparison& comparison, std::size_t other,
                                             std::size_t than);

}  // namespace stockout
