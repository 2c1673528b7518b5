#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/report/report.h"
#include "tools/report/text_table.h"

namespace stockout {

// The unreachable bound of a report: what the work costs at least, with perfect foresight. All of these give
// nothing where it was not asked for.

/// A table of each strategy and all jobs, and what it means, a line each. The report has a bound.
[[nodiscard]] TextTable bound_table(const Report& report);
[[nodiscard]] std::vector<std::string> bound_remarks(const Report& report);

/// Both as text.
[[nodiscard]] std::string write_bounds(const Report& report, const TextLayout& layout);

/// Names of further columns of the CSV, each after a comma.
[[nodiscard]] std::string bound_columns(const Report& report);
/// Their fields for a strategy's total; for other rows (nullptr) empty ones.
[[nodiscard]] std::string bound_fields(const Report& report, const StrategyResult* strategy);

/// Null where it was not asked for.
[[nodiscard]] nlohmann::ordered_json bounds_json(const Report& report);

}  // namespace stockout
