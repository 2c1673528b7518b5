#include "models/world/world.h"

namespace stockout {
namespace {

Arrivals open_sources(const World& world, std::uint64_t replication, bool with_tenants) {
  std::vector<Arrivals::Input> inputs;
  for (std::size_t i = 0; i < world.sources.size(); ++i) {
    if (world.sources[i].background && !with_tenants) continue;
    inputs.push_back({.source = SourceId{static_cast<std::uint16_t>(i)}, .demand = &world.sources[i].demand});
  }
  return Arrivals{inputs, Dice{.seed = world.seed, .replication = replication}, world.grid};
}

}  // namespace

Arrivals all_arrivals(const World& world, std::uint64_t replication) {
  return open_sources(world, replication, true);
}

Arrivals recorded_arrivals(const World& world, std::uint64_t replication) {
  return open_sources(world, replication, false);
}

}  // namespace stockout
