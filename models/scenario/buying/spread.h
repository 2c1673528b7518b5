#pragma once

#include <vector>

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// Checks "spread" of a leg that was read, with its candidates. Throws InputError where a gang cannot stand
/// in several zones, or where it is not known how it would work there.
void check_spread(Draft& draft, const Node& node, const std::vector<PoolId>& pools, const Leg& leg);

}  // namespace stockout
