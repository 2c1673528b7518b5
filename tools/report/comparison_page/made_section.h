#pragma once

#include "tools/page/page.h"
#include "tools/report/comparison_page/comparison_page.h"

namespace stockout {

/// Every table of the report, by group if one was asked for.
[[nodiscard]] PageSection tables_section(const PageStory& story);

/// Basis of the numbers.
[[nodiscard]] PageSection made_section(const PageStory& story);

}  // namespace stockout
