#pragma once

#include "tools/page/page.h"
#include "tools/report/record/record_page.h"

namespace stockout {

/// Where every dollar went: what the money was for, and under which price.
[[nodiscard]] PageSection recorded_money_section(const RecordStory& story);

}  // namespace stockout
