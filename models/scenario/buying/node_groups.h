#pragma once

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// Gives node groups to the legs of a strategy that GKE's cluster autoscaler serves: those that are granted
/// or refused at once. The legs are read. InputError for `node_groups` without such a leg or with a longest
/// back-off below the first, and for a first one of next to nothing.
void read_node_groups(const Node& node_of_strategy, Strategy& strategy);

/// Lists what is assumed of node groups, if any strategy has them. To be called once.
void assume_of_node_groups(Draft& draft);

}  // namespace stockout
