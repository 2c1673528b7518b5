#pragma once

#include <vector>

#include "models/scenario/scenario.h"

namespace stockout {

/// Alternatives of a scenario that lists none, as `init` writes them: the load of other tenants a quarter
/// less and a quarter more, and half and twice the hosts of pools, if nothing is held in them. Empty where no
/// pool has a number for either. `options`: those that the scenario was read with.
[[nodiscard]] std::vector<Alternative> usual_alternatives(const std::string& file,
                                                          const ScenarioOptions& options);

}  // namespace stockout
