#pragma once

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// Gives `provisioning_request` to the legs of a strategy that are queued provisioning of GKE and closed to
/// jobs of sets, if it has that key. The legs are read. InputError without such a leg, and for a race to the
/// first boot in one.
void read_provisioning_requests(const Draft& draft, const Node& node_of_strategy, Strategy& strategy);

}  // namespace stockout
