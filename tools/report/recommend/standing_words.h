#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tools/report/recommend/answer.h"

namespace stockout {

/// Why a purchase is not the one, in a few words: "misses goal 1", "dearer", "dearer, misses goal 1". "As
/// good" is known to be so; "as good at most" may be dearer, or miss a goal.
[[nodiscard]] std::string standing_text(const RecommendationReport& report, const PurchaseStanding& of);

/// The goal that a purchase was left for, or that it misses most on average; none that it misses: none.
[[nodiscard]] std::optional<std::size_t> missed_goal(const RecommendationReport& report,
                                                     const PurchaseStanding& one);

/// Value of a goal, and by how much that is too little: "64.7 % (95 % of jobs start within 2h and complete),
/// 30.3 points short".
[[nodiscard]] std::string missed_text(const RecommendationReport& report, const PurchaseStanding& one,
                                      std::size_t goal);

/// By how much a value misses a goal: "30.3 points short", of a budget "$200 too much".
[[nodiscard]] std::string short_of_text(const Recommendation::Asked& asked, double value);

/// Its extra cost over the first, and why it is not the one: a sentence.
[[nodiscard]] std::string because_line(const RecommendationReport& report, const PurchaseStanding& one);

}  // namespace stockout
