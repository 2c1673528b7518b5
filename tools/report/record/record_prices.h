#pragma once

#include <string>
#include <vector>

#include "tools/page/page.h"
#include "tools/report/record/record_page.h"

namespace stockout {

/// The nearest prices at which another strategy would be the cheapest, the least change first; three at most.
[[nodiscard]] std::vector<std::string> prices_that_flip(const RecordStory& story);

/// Break-even prices, and the prices that were used.
[[nodiscard]] PageSection recorded_prices_section(const RecordStory& story);

}  // namespace stockout
