#pragma once

#include <vector>

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// Reads "spread" of a leg into it, with its candidates and its "partial", which is a minimum count alone
/// then. Throws InputError where a gang cannot stand in several zones, or where it is not known how it would
/// work there.
void read_spread(Draft& draft, const Node& node, const std::vector<PoolId>& pools, Leg& leg);

}  // namespace stockout
