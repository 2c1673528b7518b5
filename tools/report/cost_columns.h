#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/report/grouped_rows.h"
#include "tools/report/report.h"

namespace stockout {

/// A column of texts, right-aligned, one for each row of a table.
struct TextColumn {
  std::string header;
  std::vector<std::string> cells;
};

/// The sign of a difference that may be chance.
inline constexpr std::string_view kChanceSign = "~";

/// What the strategy of the verdict is called beside what others cost more: "recommended", "nearest" to the
/// goal, or "favourite" where it is undecided. The report has a verdict.
[[nodiscard]] std::string verdict_role(const Report& report);

/// What each strategy costs more than that of the verdict, half of its interval, and a sign where it may be
/// chance: for rows of totals. No columns without a verdict or with one strategy only.
[[nodiscard]] std::vector<TextColumn> cost_difference_columns(const Report& report,
                                                              const std::vector<ReportRow>& rows);

/// How to read these columns; empty if there are none.
[[nodiscard]] std::string cost_difference_note(const Report& report);

}  // namespace stockout
