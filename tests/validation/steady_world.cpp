#include "tests/validation/steady_world.h"

#include <cmath>

namespace stockout::test {

World steady_world(PoissonPool pool, double warm_up) {
  pool.warm_up = 0;
  World world = poisson_world(pool);
  world.begin = kStart - SimDuration{std::llround(warm_up * static_cast<double>(kMeanService.count()))};
  world.utc_offsets = {{.at = world.begin, .offset = {}}};
  for (CapacitySource& capacity : world.pools.front().capacity) capacity.steps.front().at = world.begin;
  Source before = world.sources.front();
  auto& demand = std::get<SyntheticDemand>(before.demand);
  demand.from = world.begin;
  demand.until = kStart;
  before.name = "before";
  before.background = true;
  before.tenants = {world.strategies.front()};
  before.tenant_weights = {1};
  world.sources.push_back(before);
  return world;
}

}  // namespace stockout::test
