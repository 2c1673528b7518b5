#pragma once

#include <string>
#include <vector>

#include "models/scenario/scenario.h"

namespace stockout {

/// The text of a scenario file with some values put into it, and without what is to be decided. Comments are
/// left out. `options` has what the command line puts into it first. Throws InputError.
[[nodiscard]] std::string winner_scenario(const std::string& file, const ScenarioOptions& options,
                                          const std::vector<PlacedValue>& choices);

}  // namespace stockout
