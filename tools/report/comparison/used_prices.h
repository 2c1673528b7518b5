#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/catalog/date.h"

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// The prices that anything was booked under in any run, equal ones of several pools as one.
[[nodiscard]] Relation prices_table(const Report& report);

/// The same in words, a line each.
[[nodiscard]] std::vector<std::string> price_lines(const Report& report);

/// The day on which prices are as old as reports say: the first of the window, on which they are to be paid,
/// or that of the price list where the window is earlier and prices do not follow the calendar. Never that of
/// the clock, so that equal runs have equal reports.
[[nodiscard]] std::optional<Date> day_of_prices(const Scenario& scenario);

/// How many of the prices that were used are older than kOldPriceDays.
[[nodiscard]] std::size_t old_prices(const Report& report);

/// Time of the prices of the report: a day, or the simulated calendar.
[[nodiscard]] std::string prices_title(const Scenario& scenario);

}  // namespace stockout
