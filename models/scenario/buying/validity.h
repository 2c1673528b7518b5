#pragma once

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"

namespace stockout {

/// Holds the legs of a strategy that names its `orchestrator` against the catalogue's matrix on the
/// scenario's first day: each leg's model, and the models of legs that one job may go through. InputError at
/// the leg for a pair that is not allowed then.
void check_orchestrator(const Draft& draft, const Node& node, const Strategy& strategy);

}  // namespace stockout
