#pragma once

#include "tools/page/page.h"

namespace stockout {

/// What each share is a share of, and words.
[[nodiscard]] PageSection words_section();

}  // namespace stockout
