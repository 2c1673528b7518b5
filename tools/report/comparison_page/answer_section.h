#pragma once

#include <optional>

#include "tools/page/page.h"
#include "tools/report/comparison_page/comparison_page.h"

namespace stockout {

/// The reader's choice of waits and costs; none if no job says anything. At the scenario's own goal it has
/// the answer of the verdict.
[[nodiscard]] std::optional<WaitChoice> wait_choice(const PageStory& story);

/// A row a strategy, and what could change the answer.
[[nodiscard]] PageSection answer_section(const PageStory& story);

}  // namespace stockout
