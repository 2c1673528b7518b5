#pragma once

#include <array>

#include "models/measures/measure_table.h"

namespace stockout {

/// A part of Measure::cost, and whether it is added or taken off.
struct CostPart {
  Measure measure{};
  double sign = 1;
};

/// All of them: they add up to the cost.
inline constexpr std::array kCostParts{CostPart{Measure::cost_held}, CostPart{Measure::cost_direct},
                                       CostPart{Measure::cost_sunk}, CostPart{Measure::cost_other},
                                       CostPart{Measure::covered, -1}};

}  // namespace stockout
