#pragma once

#include <string>

#include "tools/report/comparison/report.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// For people: the verdict, tables with units in their headers, and what the numbers rest on.
[[nodiscard]] std::string comparison_text(const Report& report, const TextLayout& layout);

}  // namespace stockout
