#pragma once

#include <string>
#include <vector>

#include "tools/report/recommend/answer.h"

namespace stockout {

/// Commands that would order what the best purchase holds, a line each. They are printed, never run. What has
/// no command here is said in words. None where nothing is held.
[[nodiscard]] std::vector<std::string> order_lines(const RecommendationReport& report);

}  // namespace stockout
