#pragma once

#include <vector>

#include "models/simulation/simulate.h"
#include "tests/support/worlds/world_builder.h"

namespace stockout::test {

/// Pools of 8 GPUs; the first strategy has a leg in each.
inline WorldBuilder pools_of_eight(const std::vector<Policy>& legs) {
  WorldBuilder make;
  for (const Policy& policy : legs) make.leg({.policy = policy, .places = {make.pool(8)}});
  return make;
}

/// Runs the first strategy with the orchestrator that `own` makes behind the usual ones.
template <typename Own>
RunRecord run_with(const World& world, Own own, const Logs& logs = {}) {
  return simulate(world, 0, 0, logs, [&](const World& of, const Strategy& strategy) {
    Orchestrators all = roster(of, strategy);
    all.push_back(own());
    return all;
  });
}

}  // namespace stockout::test
