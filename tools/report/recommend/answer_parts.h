#pragma once

#include <string>

#include "tools/report/recommend/answer.h"

namespace stockout {

// Parts of the first sentences, whatever the answer is. Those that are sentences have a blank before them.

/// "$44,654 ± 1,643".
[[nodiscard]] std::string cost_text(const PurchaseStanding& one);
/// "12 ways to buy".
[[nodiscard]] std::string ways_text(const RecommendationReport& report);
/// Where it buys: "reservation team, then on_demand".
[[nodiscard]] std::string places_text(const RecommendationReport& report, const PurchaseStanding& one);
/// Value of each goal of the scenario; empty without one.
[[nodiscard]] std::string goals_met_text(const RecommendationReport& report, const PurchaseStanding& one);
/// " It begins a 1-year commitment and obliges to $12,000 over the whole term."
[[nodiscard]] std::string obligation_text(const RecommendationReport& report, const PurchaseStanding& one);
/// " Prices are of 2026-07-30, the oldest that is paid 3 days old."
[[nodiscard]] std::string prices_text(const RecommendationReport& report);

}  // namespace stockout
