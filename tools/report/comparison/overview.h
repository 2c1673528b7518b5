#pragma once

#include <string>

#include "tools/report/comparison/report.h"

namespace stockout {

/// Cost of strategies and how many jobs are within the goal (without a goal: how long they wait), as bars
/// with the numbers beside them. Empty where the layout has no charts or there is nothing to compare.
[[nodiscard]] std::string write_overview(const Report& report, const TextLayout& layout);

/// The same without the numbers and a title.
[[nodiscard]] std::string write_bars(const Report& report, const TextLayout& layout);

}  // namespace stockout
