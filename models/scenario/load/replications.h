#pragma once

#include "models/scenario/draft/draft.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// How often the scenario is to be run, and what is made of it. A number of replications on the command line
/// takes the place of the scenario's, and of its precision.
void read_replications(Draft& draft, const ScenarioOptions& options);

}  // namespace stockout
