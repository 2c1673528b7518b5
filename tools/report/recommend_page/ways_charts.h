#pragma once

#include <optional>
#include <vector>

#include "tools/page/page.h"
#include "tools/report/recommend/answer.h"

namespace stockout {

/// Strategies of the ways to buy, in the scenario's order: those that a page has colours for.
[[nodiscard]] std::vector<std::string> strategies_of_ways(const RecommendationReport& report);

/// Every way to buy: what it costs against the share of jobs that meet the first goal about a share. None
/// without such a goal.
[[nodiscard]] std::optional<Chart> ways_chart(const RecommendationReport& report);

/// Around the best, a picture for each decision that touches it: the cost of its choices, all else being as
/// it is.
[[nodiscard]] std::vector<Chart> choice_charts(const RecommendationReport& report);

}  // namespace stockout
