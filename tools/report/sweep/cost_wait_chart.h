#pragma once

#include "tools/page/page.h"
#include "tools/report/sweep/sweep_page.h"

namespace stockout {

/// Cost against wait at every point, and what no other point beats in both. Its rows go into `data`.
[[nodiscard]] Chart cost_wait_chart(const SweepStory& story, nlohmann::json& data);

}  // namespace stockout
