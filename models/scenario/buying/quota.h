#pragma once

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// How quota goes with the requests of a strategy, by its `orchestrator` where nothing else is said.
[[nodiscard]] QuotaRule read_quota_rule(const Draft& draft, const Node& strategy);

}  // namespace stockout
