#pragma once

#include "models/scenario/draft/draft.h"
#include "models/supply/availability.h"

namespace stockout {

/// Meaning of a probe's value, from the keys that `availability` and `markov` have in common.
[[nodiscard]] CapacityRules read_scale(const Draft& draft, const Node& node, const Pool& pool);

/// Says that small machines were probed and larger ones are granted, where that is so.
void assume_small_probes(Draft& draft, const Node& node, const CapacityRules& rules, const Pool& pool);

/// Capacity of the zone pools over time. Needs the window. Throws InputError.
void build_capacity(Draft& draft);

}  // namespace stockout
