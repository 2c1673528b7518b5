#pragma once

#include <optional>
#include <string>

#include "tools/report/report.h"
#include "tools/report/text_table.h"

namespace stockout {

/// What each strategy pays beside machines, a line each; none if the scenario has no other costs. Names as
/// comparison_tables() has them.
[[nodiscard]] std::optional<TextTable> other_costs_table(const Report& report, bool every_row_named);

/// The same as text.
[[nodiscard]] std::string write_other_costs(const Report& report, const TextLayout& layout);

}  // namespace stockout
