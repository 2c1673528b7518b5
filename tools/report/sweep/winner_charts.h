#pragma once

#include <vector>

#include "tools/page/page.h"
#include "tools/report/sweep/sweep_page.h"

namespace stockout {

/// Who is the cheapest where: along one axis, over two, or over the two that matter most. Their rows go into
/// `data`.
[[nodiscard]] std::vector<PageBlock> winner_charts(const SweepStory& story, nlohmann::json& data);

}  // namespace stockout
