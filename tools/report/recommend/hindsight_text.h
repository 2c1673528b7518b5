#pragma once

#include <string>

#include "tools/report/comparison/report.h"
#include "tools/report/recommend/hindsight_answer.h"

namespace stockout {

/// An advice in hindsight in a format: as text the sentence, what was paid, both parts and warnings; as CSV
/// what was paid; as JSON all of it. README.md of tools/report gives the layout.
[[nodiscard]] std::string write_hindsight(const HindsightReport& report, ReportFormat format,
                                          const TextLayout& layout);

}  // namespace stockout
