#pragma once

#include <string>

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// The machine type of the nodes that a leg buys for its partition of Slurm's; empty if those are not bought
/// anew for each job. InputError if the leg names another.
[[nodiscard]] std::string machine_of_partition(const Draft& draft, const Node& leg);

/// The partitions of a strategy's legs, which are read. InputError if Slurm does not know one, if only some
/// legs have one or two have the same, if a leg does not buy the nodes of its partition, or where the
/// strategy does what is not possible under Slurm.
void read_partitions(const Draft& draft, const Node& node_of_strategy, Strategy& strategy);

/// After all strategies: how long nodes have to be up; warns of jobs that no partition will ever take.
/// InputError if no strategy is under Slurm.
void check_slurm_use(Draft& draft);

}  // namespace stockout
