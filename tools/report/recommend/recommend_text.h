#pragma once

#include <string>

#include "tools/report/comparison/report.h"
#include "tools/report/recommend/answer.h"

namespace stockout {

/// The recommendation in a format: as text the sentence, the menu, reasons and curves; as CSV every way to
/// buy; as JSON all of it. README.md of tools/report gives the layout.
[[nodiscard]] std::string write_recommendation(const RecommendationReport& report, ReportFormat format,
                                               const TextLayout& layout);

}  // namespace stockout
