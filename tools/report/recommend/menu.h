#pragma once

#include <cstddef>
#include <vector>

#include "tools/report/recommend/answer.h"
#include "tools/table/relation.h"

namespace stockout {

/// Purchases, a row each: cost, what each goal came to, waits, use, obligation. `most` rows are for people:
/// the best, some that are as good, some dearer ones, some that miss a goal.
[[nodiscard]] Relation menu_table(const RecommendationReport& report, std::size_t most);

/// Around the best, a table for each decision that touches it: its choices, all else being as it is.
[[nodiscard]] std::vector<Relation> curve_tables(const RecommendationReport& report);

/// What was asked, a row each, by number.
[[nodiscard]] Relation goals_table(const RecommendationReport& report);

}  // namespace stockout
