#pragma once

#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/page/page.h"
#include "tools/report/sweep_page.h"

namespace stockout {

// The pictures of a page on a sweep. Those that have many rows put them into `data`.

/// How far the cost difference of the two that win most moves with each axis; none with fewer than two
/// strategies or axes without an effect.
[[nodiscard]] std::optional<Chart> difference_chart(const SweepStory& story);

/// How far cost, waits and jobs in time of each strategy move with each axis: strategy and measure are
/// chosen.
[[nodiscard]] std::optional<Chart> tornado_chart(const SweepStory& story, nlohmann::json& data);

/// Cost against wait at every point, and what no other point beats in both.
[[nodiscard]] Chart cost_wait_chart(const SweepStory& story, nlohmann::json& data);

/// Who is the cheapest where: along one axis, over two, or over the two that matter most.
[[nodiscard]] std::vector<PageBlock> winner_charts(const SweepStory& story, nlohmann::json& data);

}  // namespace stockout
