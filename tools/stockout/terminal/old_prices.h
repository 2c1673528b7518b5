#pragma once

#include <optional>

#include "models/catalog/date.h"
#include "models/scenario/scenario.h"
#include "tools/stockout/terminal/console.h"
#include "tools/stockout/terminal/terminal.h"

namespace stockout {

/// The day of the clock, UTC. Where the environment has SOURCE_DATE_EPOCH (reproducible-builds.org: seconds
/// since 1970), that day; none where it says anything else.
[[nodiscard]] std::optional<Date> today(const Environment& environment);

/// Says on a terminal that the price list is more than kOldPriceDays old: `prices_as_of` against the earlier
/// of Console::today and the first day of the window, since prices of a past window are those of its days.
/// This is no part of a result: reports, files and pipes never depend on the clock.
void warn_of_old_prices(const Scenario& scenario, Console& console);

}  // namespace stockout
