#include "models/world/world.h"

namespace stockout {

SimDuration StepRetry::pause_before(std::int64_t number) const {
  __extension__ using Wide = __int128;
  std::int64_t pause = first.count();
  for (std::int64_t i = 0; i < number; ++i)
    pause = static_cast<std::int64_t>(std::min<Wide>(most.count(), Wide{pause} * factor_ppm / 1'000'000));
  return SimDuration{pause};
}

namespace {

Arrivals open_sources(const World& world, std::uint64_t replication, bool with_tenants) {
  std::vector<Arrivals::Input> inputs;
  for (std::size_t i = 0; i < world.sources.size(); ++i) {
    const Source& source = world.sources[i];
    if (source.background && !with_tenants) continue;
    inputs.push_back({.source = SourceId{static_cast<std::uint16_t>(i)}, .demand = &source.demand});
    const auto* made_up = std::get_if<SyntheticDemand>(&source.demand);
    if (made_up != nullptr && std::holds_alternative<FollowingArrivals>(made_up->arrivals)) {
      const SourceId first = source.followed();
      inputs.back().first = {.source = first,
                             .demand = &world.sources[index(first)].demand,
                             .by_group = source.step && world.sources[index(first)].step->by_group};
    }
  }
  return Arrivals{inputs, RandomStreams{.seed = world.seed, .replication = replication}, world.grid};
}

}  // namespace

Arrivals all_arrivals(const World& world, std::uint64_t replication) {
  return open_sources(world, replication, true);
}

Arrivals recorded_arrivals(const World& world, std::uint64_t replication) {
  return open_sources(world, replication, false);
}

}  // namespace stockout
