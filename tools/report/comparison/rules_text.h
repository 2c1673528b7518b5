#pragma once

#include <string>
#include <vector>

#include "models/consumption/strategy.h"
#include "tools/report/comparison/report.h"

namespace stockout {

/// Which of the strategies have a leg without an orchestrator, and whose rules hold for it; empty if none
/// has.
[[nodiscard]] std::string unnamed_text(const std::vector<const Strategy*>& strategies);

/// The same of the strategies of a report.
[[nodiscard]] std::string unnamed_text(const Report& report);

/// The orchestrators whose rules the report goes by, in their order: "Compute Engine, Vertex AI".
[[nodiscard]] std::string rules_text(const Report& report);

}  // namespace stockout
