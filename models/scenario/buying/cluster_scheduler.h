#pragma once

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// A scheduler under which jobs are pending before they may ask. What it gives them says in which legs they
/// may.
struct ClusterScheduler {
  const char* key;       // of legs: "flavor"
  const char* name;      // "Kueue"
  const char* settings;  // of the scenario: "kueue"
};

/// Whether the strategy is under the scheduler: its legs say so. InputError if only some do, if the scenario
/// has none, or if the strategy does what pending jobs cannot.
[[nodiscard]] bool is_under(const Draft& draft, const Node& node_of_strategy,
                            const ClusterScheduler& scheduler);

/// InputError if steps of pipelines are tried again, which no scheduler knows of.
void refuse_steps_tried_again(const Draft& draft, const ClusterScheduler& scheduler);

}  // namespace stockout
