#pragma once

#include "tools/page/page.h"
#include "tools/report/comparison_page/comparison_page.h"

namespace stockout {

/// Break-even prices, assumptions and the lower bound.
[[nodiscard]] PageSection prices_section(const PageStory& story);

}  // namespace stockout
