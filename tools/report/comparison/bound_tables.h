#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

// The unreachable bound of a report: what the work costs at least, with perfect foresight.

/// A table of each strategy and all jobs, and what it means, a line each. The report has a bound.
[[nodiscard]] Relation bound_table(const Report& report);
[[nodiscard]] std::vector<std::string> bound_remarks(const Report& report);

/// Both as text; nothing where the bound was not asked for.
[[nodiscard]] std::string write_bounds(const Report& report, const TextLayout& layout);

/// Further columns of the CSV ...
[[nodiscard]] std::vector<Column> bound_columns();
/// ... with their values for a strategy's total; for other rows (nullptr) there are none.
[[nodiscard]] std::vector<Cell> bound_cells(const BoundSummary& bounds, const StrategyResult* strategy);

[[nodiscard]] nlohmann::ordered_json bounds_json(const BoundSummary& bounds);

}  // namespace stockout
