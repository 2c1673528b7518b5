#pragma once

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// The flavors of a strategy's legs, which are read. InputError if Kueue does not know one, if only some legs
/// have one, or where the strategy does what is not possible under Kueue.
void read_flavors(const Draft& draft, const Node& node_of_strategy, Strategy& strategy);

/// After all strategies: warns of jobs that no quota of Kueue's will ever let in. InputError if no strategy
/// is under Kueue.
void check_kueue_use(Draft& draft);

/// Kueue in the planner's cluster. Throws InputError.
void build_kueue(Draft& draft);

}  // namespace stockout
