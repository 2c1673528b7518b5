#pragma once

#include <string>
#include <vector>

#include "models/scenario/scenario.h"

namespace stockout {

/// The text of a scenario file with some values put into it, and without what is to be decided, for a file
/// `winner`. Comments are left out. What the command line puts into it stays: `options` has overrides, a
/// seed and files of prices, which it then names from the folder of `winner`. Throws InputError.
[[nodiscard]] std::string winner_scenario(const std::string& file, const std::string& winner,
                                          const ScenarioOptions& options,
                                          const std::vector<PlacedValue>& choices);

}  // namespace stockout
