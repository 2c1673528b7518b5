#include "models/simulation/market/supply_changes.h"

#include <vector>

namespace stockout {

void SupplyChanges::open(const RandomStreams& random) {
  const SimTime end = world_.window_end + (world_.end == RunEnd::drain ? world_.drain_limit : SimDuration{});
  for (std::size_t pool = 0; pool < world_.pools.size(); ++pool) {
    const PoolId id{static_cast<std::uint16_t>(pool)};
    const std::vector<CapacitySource>& sources = world_.pools[pool].capacity;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      books_.pool(id).sources[i].path = CapacityPath{sources[i], random, world_.begin, end};
      set_capacity(id, i);
    }
  }
}

void SupplyChanges::play_step(Event event) {
  books_.pool(event.pool()).sources[event.detail].path.advance();
  set_capacity(event.pool(), event.detail);
}

// The source's path stands at what is there from now on.
void SupplyChanges::set_capacity(PoolId id, std::size_t number) {
  PoolState& pool = books_.pool(id);
  SourceState& source = pool.sources[number];
  books_.resize(id, number, source.path.gpus(), agenda_.now());
  if (source.path.next_at() != kNever) {
    agenda_.at(source.path.next_at(), Phase::capacity, Event::of(EventKind::capacity, id, number));
  }
  if (source.is_over_full()) making_way_.make_room(pool, source);
  starts_.start_ready(pool, source);
  check_capacity(pool);
  touched_.touch(id, agenda_.now());
}

void SupplyChanges::play_repair(Event event) {
  const PoolId id{static_cast<std::uint16_t>(event.subject >> 8)};
  const std::size_t source = event.subject & 0xff;
  books_.restore(id, source, GpuCount{event.detail}, agenda_.now());
  starts_.start_ready(books_.pool(id), books_.pool(id).sources[source]);
  touched_.touch(id, agenda_.now());
}

}  // namespace stockout
