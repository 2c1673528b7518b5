#pragma once

#include <string>

#include "tools/report/comparison/report.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// The first lines of a report for people: its question, the headline, the price that decides, and whose
/// rules hold where a strategy names no orchestrator.
[[nodiscard]] std::string heading(const Report& report, const TextLayout& layout);

}  // namespace stockout
