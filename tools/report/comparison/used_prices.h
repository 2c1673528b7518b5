#pragma once

#include <string>
#include <vector>

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// The prices that anything was booked under in any run, equal ones of several pools as one.
[[nodiscard]] Relation prices_table(const Report& report);

/// The same in words, a line each.
[[nodiscard]] std::vector<std::string> price_lines(const Report& report);

/// What the prices of the report are of: a day, or the simulated calendar.
[[nodiscard]] std::string prices_title(const Scenario& scenario);

}  // namespace stockout
