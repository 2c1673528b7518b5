#pragma once

#include "tools/page/page.h"
#include "tools/report/comparison_page/comparison_page.h"

namespace stockout {

/// Pools over time. Rows of the picture go into `data`.
[[nodiscard]] PageSection pools_section(const PageStory& story, nlohmann::json& data);

}  // namespace stockout
