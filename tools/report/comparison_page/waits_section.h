#pragma once

#include "tools/page/page.h"
#include "tools/report/comparison_page/comparison_page.h"

namespace stockout {

/// Cost against jobs in time; how long jobs waited. Rows of pictures go into `data`.
[[nodiscard]] PageSection waits_section(const PageStory& story, nlohmann::json& data);

}  // namespace stockout
