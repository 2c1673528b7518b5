#pragma once

#include <string>

#include "models/scenario/format/node.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// The text of a scenario file with what the command line puts into it (`options`), not checked. Throws
/// InputError.
[[nodiscard]] ScenarioText scenario_text(const std::string& file, const ScenarioOptions& options);

}  // namespace stockout
