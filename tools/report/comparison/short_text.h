#pragma once

#include <string>

#include "tools/report/comparison/report.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// The answer on one screen: the verdict, bars, one table, at most three warnings and where the rest is, with
/// the bound and the alternatives if they were asked for. The same in a pipe as on a terminal: within
/// `layout.width` columns.
[[nodiscard]] std::string short_text(const Report& report, TextLayout layout);

}  // namespace stockout
