#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "tools/page/page.h"
#include "tools/report/sweep/sweep_page.h"

namespace stockout {

/// How far the cost difference of the two that win most moves with each axis; none with fewer than two
/// strategies or axes without an effect.
[[nodiscard]] std::optional<Chart> difference_chart(const SweepStory& story);

/// How far cost, waits and jobs in time of each strategy move with each axis: strategy and measure are
/// chosen. Its rows go into `data`.
[[nodiscard]] std::optional<Chart> tornado_chart(const SweepStory& story, nlohmann::json& data);

}  // namespace stockout
