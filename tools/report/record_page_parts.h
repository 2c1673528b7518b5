#pragma once

#include <string>
#include <vector>

#include "models/experiment/verdict.h"
#include "tools/report/record_page.h"

namespace stockout {

// The parts of a page on a record.

/// A row a strategy: what it costs, what it costs more than that of the verdict, and what it gives for that.
[[nodiscard]] Relation recorded_strategies_table(const RecordStory& story, const Verdict& verdict);

/// Names of all its strategies.
[[nodiscard]] std::vector<std::string> strategy_names(const Comparison& comparison);

/// The nearest prices at which another strategy would be the cheapest, the least change first; three at most.
[[nodiscard]] std::vector<std::string> prices_that_flip(const RecordStory& story);

/// Where every dollar went: what the money was for, and under which price.
[[nodiscard]] PageSection recorded_money_section(const RecordStory& story);

/// Break-even prices, and the prices that were used.
[[nodiscard]] PageSection recorded_prices_section(const RecordStory& story);

/// What the numbers were made from, and what a record does not keep.
[[nodiscard]] PageSection recorded_made_section(const RecordStory& story);

}  // namespace stockout
