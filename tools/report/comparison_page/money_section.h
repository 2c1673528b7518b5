#pragma once

#include "tools/page/page.h"
#include "tools/report/comparison_page/comparison_page.h"

namespace stockout {

/// Where every dollar went.
[[nodiscard]] PageSection money_section(const PageStory& story);

}  // namespace stockout
