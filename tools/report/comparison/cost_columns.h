#pragma once

#include <string>

#include "tools/report/comparison/grouped_rows.h"
#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// Name of the verdict's strategy beside the extra cost of others: "recommended", "nearest" to the goal, or
/// "favourite" where it is undecided. The report has a verdict.
[[nodiscard]] std::string verdict_role(const Report& report);

/// Whether there is another strategy than that of the verdict.
[[nodiscard]] bool has_cost_more(const Report& report);

/// Extra cost of each strategy over that of the verdict, with a sign where it may be chance.
[[nodiscard]] Column cost_more_column(const Report& report);

/// Extra cost of one strategy over another; of the same "this one".
[[nodiscard]] Cell cost_more_cell(const Comparison& comparison, std::size_t strategy, std::size_t than);

/// How to read this column; empty if there is none.
[[nodiscard]] std::string cost_difference_note(const Report& report);

}  // namespace stockout
