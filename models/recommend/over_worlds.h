#pragma once

#include <cstddef>

#include "models/recommend/recommendation.h"

namespace stockout {

// How sure a purchase is over the worlds of a recommendation that has some. A world counts by its weight, and
// by the means of the purchase's runs there.

/// The weight of a world, a place in Recommendation::worlds; of all 1.
[[nodiscard]] double weight_of(const Recommendation& found, std::size_t world);

/// The weight of the worlds in which a purchase meets a goal, a place in Recommendation::goals. A goal that
/// no job counts for is met.
[[nodiscard]] double weight_that_meets(const Recommendation& found, const PurchaseStanding& one,
                                       std::size_t goal);

/// The weight of the worlds in which it meets all goals.
[[nodiscard]] double weight_that_meets_all(const Recommendation& found, const PurchaseStanding& one);

/// The cost, in USD, that worlds of so much of the weight do not exceed; `weight` from 0 to 1.
[[nodiscard]] double cost_quantile(const Recommendation& found, const PurchaseStanding& one, double weight);

}  // namespace stockout
