#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/report/recommend/answer.h"

namespace stockout {

// How sure the answer is over the worlds that it was judged over; nothing without worlds.

/// Words behind "95 % sure": " over noise and 20 worlds together".
[[nodiscard]] std::string over_worlds_text(const RecommendationReport& report);

/// Whether the best meets the goals in every world or only on average, and what it costs there: sentences,
/// with a blank before them.
[[nodiscard]] std::string worlds_sentence(const RecommendationReport& report);

/// Which worlds they are, in how many of them the best meets each goal, and its cost, a line each.
[[nodiscard]] std::vector<std::string> worlds_lines(const RecommendationReport& report);

/// All of it for programs, and the best in each world. The recommendation has worlds.
[[nodiscard]] nlohmann::ordered_json over_worlds_json(const RecommendationReport& report);

}  // namespace stockout
