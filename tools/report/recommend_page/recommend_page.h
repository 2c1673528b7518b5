#pragma once

#include <string>

#include "tools/page/page.h"
#include "tools/report/recommend/answer.h"

namespace stockout {

/// A recommendation for a browser: what to buy, what it obliges to, why, and what would change it. `command`:
/// the command line that makes it again.
[[nodiscard]] Page recommendation_page(const RecommendationReport& report, const std::string& command);

}  // namespace stockout
