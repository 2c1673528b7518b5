#pragma once

#include "tools/page/page.h"

namespace stockout {

/// Base of each share, and words.
[[nodiscard]] PageSection words_section();

}  // namespace stockout
