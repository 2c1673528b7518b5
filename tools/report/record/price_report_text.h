#pragma once

#include <string>

#include "tools/report/record/price_report.h"

namespace stockout {

/// For people: both verdicts, costs side by side, the prices they rest on.
[[nodiscard]] std::string price_report_text(const PriceReport& report, const TextLayout& layout);

}  // namespace stockout
