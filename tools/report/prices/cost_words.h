#pragma once

#include <string_view>

#include "models/measures/measure_table.h"

namespace stockout {

/// Planner's word for a part of a cost: one of kCostParts, or of what is held the part that jobs used or
/// nobody did.
[[nodiscard]] std::string_view cost_words(Measure part);

}  // namespace stockout
