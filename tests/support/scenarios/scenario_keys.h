#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/support/scenarios/random_scenario.h"

namespace stockout::test {

/// Every key that a scenario file may hold, as "object.key", and every word that one may be, as
/// "object.key=word": out of the reader's own declaration (models/scenario/format/keys.h).
[[nodiscard]] std::vector<std::string> all_scenario_keys();

/// Counts those that stand in a file that was read.
void count_keys(const Json& file, std::map<std::string, int>& counts);

}  // namespace stockout::test
