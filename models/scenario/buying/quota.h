#pragma once

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// How quota goes with the requests of a strategy, whose legs are read: by their orchestrators where nothing
/// else is said. InputError if the scenario has quotas and the orchestrators differ.
[[nodiscard]] QuotaRule read_quota_rule(const Draft& draft, const Node& node_of_strategy,
                                        const Strategy& strategy);

/// Throws an InputError if the strategy holds more capacity, when any of it begins, than its quota is then.
void check_held_quota(const Draft& draft, const Strategy& strategy);

/// Quotas of the planner. Throws InputError.
void build_quotas(Draft& draft);

}  // namespace stockout
