#pragma once

#include <vector>

#include "tools/report/report.h"
#include "tools/report/text_table.h"

namespace stockout {

/// The tables of a comparison: jobs, waits, use and cost, with the groups asked for. A name that stands for a
/// block of rows is in the first of them, or in every one.
[[nodiscard]] std::vector<TextTable> comparison_tables(const Report& report, bool every_row_named);

/// What is looked at first, a row a strategy.
[[nodiscard]] TextTable summary_table(const Report& report);

}  // namespace stockout
