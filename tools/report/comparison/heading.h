#pragma once

#include <string>

#include "tools/report/comparison/report.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// The first lines of any report about a scenario for people: its name and question, and the answer.
[[nodiscard]] std::string opening(const Scenario& scenario, const std::string& answer,
                                  const TextLayout& layout);

/// Those of a comparison: its question, the headline, the price that decides, and whose
/// rules hold where a strategy names no orchestrator.
[[nodiscard]] std::string heading(const Report& report, const TextLayout& layout);

}  // namespace stockout
