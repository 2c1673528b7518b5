#pragma once

#include "models/scenario/draft/draft.h"
#include "models/supply/availability.h"

namespace stockout {

/// Meaning of a probe's value, from the keys that `availability` and `markov` have in common.
[[nodiscard]] CapacityRules read_scale(const Draft& draft, const Node& node, const Pool& pool);

/// Says that small machines were probed and larger ones are granted, where that is so.
void assume_small_probes(Draft& draft, const Node& node, const CapacityRules& rules, const Pool& pool);

/// Capacity drawn from a chain. `classes` are the classes it is for: part of whose draws they are.
[[nodiscard]] CapacitySource read_markov(Draft& draft, const Node& node, const Pool& pool,
                                         std::string_view classes);

/// Unit of a fixed number of GPUs, and its growth.
struct CapacityGrowth {
  GpuCount start;
  GpuCount unit{1};  // a percentage is rounded down to whole ones
  GpuCount added{};  // each time; or
  double factor = 1;
  SimDuration every{};
  SimTime origin = kStart;  // where the first `every` begins
};

/// The steps from `begin` to `end`, never below 0. Throws InputError at `node` for more GPUs than a pool may
/// have, or too many steps.
[[nodiscard]] std::vector<CapacityStep> grow(const Node& node, const CapacityGrowth& growth, SimTime begin,
                                             SimTime end);

}  // namespace stockout
