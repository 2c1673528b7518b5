#pragma once

#include <vector>

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// Reads "partial" of a leg, if it has one, into the leg and its candidates, which must be there. Jobs of
/// unequal nodes keep asking for all. Throws InputError where single machines cannot be had: in a queue, on
/// held capacity, on hosts.
void read_partial(Draft& draft, const Node& node, const std::vector<PoolId>& pools, Leg& leg);

}  // namespace stockout
