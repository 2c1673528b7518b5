#include "models/simulation/books/books.h"

#include <algorithm>

#include <fmt/format.h>

namespace stockout {
namespace {

PoolState open_pool(const Pool& spec) {
  PoolState pool;
  pool.spec = &spec;
  pool.queue = WaitingQueue{spec.discipline, spec.ageing_ppm};
  pool.source_of.fill(PoolState::kUnlimited);
  return pool;
}

PoolState open_zone_pool(const Pool& spec, SimTime begin) {
  PoolState pool = open_pool(spec);
  if (spec.placement) pool.hosts = std::make_unique<HostBooks>(*spec.placement, begin);
  for (std::size_t i = 0; i < spec.capacity.size(); ++i) {
    const CapacitySource& source = spec.capacity[i];
    pool.sources.emplace_back();
    for (std::size_t c = 0; c < kLeaseClasses; ++c) {
      if (source.classes[c]) pool.source_of[c] = static_cast<std::int8_t>(i);
    }
  }
  return pool;
}

// By ClassId; empty if all are 0.
std::vector<std::int32_t> priorities_of(const std::vector<JobClass>& classes) {
  if (std::ranges::all_of(classes, [](const JobClass& one) { return one.priority == 0; })) return {};
  std::vector<std::int32_t> priorities;
  for (const JobClass& one : classes) priorities.push_back(one.priority);
  return priorities;
}

// A held pool has one source for every class; what it has is set when its machines come.
PoolState open_held_pool(const HeldPool& spec, const std::vector<std::int32_t>& priorities) {
  PoolState pool = open_pool(spec.pool);
  pool.held = &spec;
  pool.priorities = priorities;
  if (!priorities.empty()) pool.queue = WaitingQueue{spec.pool.discipline, spec.pool.ageing_ppm, true};
  pool.sources.emplace_back();
  pool.source_of.fill(0);
  return pool;
}

}  // namespace

Books::Books(const World& world, const Strategy& strategy, const Logs& logs)
    : log_{logs.on_pool ? &logs.on_pool : nullptr} {
  pools_.reserve(world.pool_count());
  for (const Pool& spec : world.pools) pools_.push_back(open_zone_pool(spec, world.begin));
  const std::vector<std::int32_t> priorities = priorities_of(world.classes);
  for (const HeldPool& spec : world.held) pools_.push_back(open_held_pool(spec, priorities));
  for (const PoolId held : strategy.held) STOCKOUT_CHECK(world.is_held(held));
}

LeaseSlot Books::grant(const Lease& lease, std::span<const HostShare> shares) {
  PoolState& pool = pools_[index(lease.pool)];
  SourceState* source = pool.source(lease.lease_class);
  const GpuCount kept_for_bookings =
      source != nullptr && lease.job == kNoJob ? source->gathering : GpuCount{};
  STOCKOUT_CHECK(lease.gpus <= pool.room(lease.lease_class) + kept_for_bookings);
  pool.occupy(source, lease.lease_class, lease.gpus, lease.tenant, lease.times.granted);
  if (log_ != nullptr) tell_leased(lease, lease.gpus, lease.times.granted);
  const LeaseSlot slot = adopt(lease);
  if (pool.hosts) enter_hosts(pool, slot, shares);
  return slot;
}

LeaseSlot Books::adopt(const Lease& lease) {
  const LeaseSlot slot = leases_.add(lease);
  pools_[index(lease.pool)].leases_of(lease.lease_class).add(leases_, slot);
  return slot;
}

void Books::tell_leased(const Lease& lease, GpuCount more, SimTime now) const {
  const Holder of_job = lease.tenant ? Holder::tenant : Holder::job;
  (*log_)({.what = PoolChange::What::leased,
           .pool = lease.pool,
           .at = now,
           .holder = lease.job == kNoJob ? Holder::held : of_job,
           .lease_class = lease.lease_class,
           .gpus = more});
}

void Books::enter_hosts(PoolState& pool, LeaseSlot slot, std::span<const HostShare> shares) {
  const Lease& lease = leases_[slot];
  GpuCount gpus{};
  for (const HostShare& share : shares) gpus += GpuCount{share.gpus};
  STOCKOUT_CHECK(gpus == lease.gpus, "the hosts of a lease hold more or less than it has");
  if (placements_.size() <= index(slot)) placements_.resize(index(slot) + 1);
  LeasePlacement& placement = placements_[index(slot)];
  placement.shares.assign(shares.begin(), shares.end());
  placement.is_spot = lease.lease_class == LeaseClass::spot;
  placement.has_started = false;
  pool.hosts->enter(placement, lease.times.granted);
}

// The lease has `gpus` more, or less, from now on.
void Books::change_leased(LeaseSlot slot, GpuCount gpus, SimTime now) {
  Lease& lease = leases_[slot];
  PoolState& pool = pools_[index(lease.pool)];
  pool.change_leased(pool.source(lease.lease_class), lease.lease_class, gpus, lease.tenant, now);
  if (log_ != nullptr) tell_leased(lease, gpus, now);
  Changed& before =
      changed_.try_emplace(slot, Changed{.area = {}, .since = lease.times.granted}).first->second;
  before.area += lease.gpus * (now - before.since);
  before.since = now;
  lease.gpus += gpus;
}

void Books::grow(LeaseSlot slot, GpuCount gpus, SimTime now) {
  Lease& lease = leases_[slot];
  PoolState& pool = pools_[index(lease.pool)];
  STOCKOUT_CHECK(!lease.ending.leaving && gpus <= pool.room(lease.lease_class));
  if (SourceState* source = pool.source(lease.lease_class)) {
    source->all += gpus;
    if (lease.lease_class != LeaseClass::spot) source->solid += gpus;
  }
  change_leased(slot, gpus, now);
}

void Books::part_leaves(LeaseSlot slot, GpuCount gpus, SimTime now) {
  Lease& lease = leases_[slot];
  STOCKOUT_CHECK(!lease.ending.leaving && lease.parts.delayed == 0 && lease.parts.going + gpus < lease.gpus);
  PoolState::vacate(pools_[index(lease.pool)].source(lease.lease_class), lease.lease_class, gpus, now);
  lease.parts.going += gpus;
}

void Books::part_released(LeaseSlot slot, SimTime now) {
  Lease& lease = leases_[slot];
  STOCKOUT_CHECK(!lease.ending.leaving);
  change_leased(slot, GpuCount{0} - lease.parts.going, now);
  lease.parts.going = GpuCount{0};
}

void Books::leave(LeaseSlot slot, SimTime now) {
  Lease& lease = leases_[slot];
  PoolState& pool = pools_[index(lease.pool)];
  STOCKOUT_CHECK(!lease.ending.leaving && lease.job != kNoJob);
  if (lease.parts.delayed > 0) delayed_.remove(pool, slot);
  vacate(pool, slot, now);
}

// GPU-time that the lease has held, as the books saw it.
GpuTime Books::area_of_partial(LeaseSlot slot, SimTime now) {
  const Lease& lease = leases_[slot];
  const auto changed = changed_.extract(slot);
  if (changed.empty()) return lease.gpus * (now - lease.times.granted);
  return changed.mapped().area + lease.gpus * (now - changed.mapped().since);
}

void Books::release(LeaseSlot slot, SimTime now, GpuTime split) {
  Lease& lease = leases_[slot];
  PoolState& pool = pools_[index(lease.pool)];
  if (lease.parts.delayed > 0) delayed_.remove(pool, slot);
  if (!lease.ending.leaving) vacate(pool, slot, now);
  if (pool.hosts) pool.hosts->release(placements_[index(slot)]);
  pool.change_leased(pool.source(lease.lease_class), lease.lease_class, GpuCount{0} - lease.gpus,
                     lease.tenant, now);
  if (log_ != nullptr) tell_leased(lease, GpuCount{0} - lease.gpus, now);
  const GpuTime area =
      lease.parts.gang == kNoGang ? lease.gpus * (now - lease.times.granted) : area_of_partial(slot, now);
  STOCKOUT_CHECK(split == area, fmt::format("a lease on {} held {} GPU-ms but accounts for {}",
                                            pool.spec->name, area.count(), split.count()));
  pool.counts.lease_gpu_ms += area.count();
  leases_.remove(slot);
}

void Books::resize(PoolId id, std::size_t source, GpuCount gpus, SimTime now) {
  STOCKOUT_CHECK(gpus >= GpuCount{0});
  PoolState& pool = pools_[index(id)];
  pool.sources[source].nominal = gpus;
  settle_capacity(id, source, now);
}

void Books::lose(PoolId id, std::size_t source, GpuCount gpus, SimTime now) {
  pools_[index(id)].sources[source].gone += gpus;
  settle_capacity(id, source, now);
}

void Books::restore(PoolId id, std::size_t source, GpuCount gpus, SimTime now) {
  STOCKOUT_CHECK(gpus <= pools_[index(id)].sources[source].gone);
  lose(id, source, GpuCount{0} - gpus, now);
}

void Books::settle_capacity(PoolId id, std::size_t number, SimTime now) {
  SourceState& source = pools_[index(id)].sources[number];
  const GpuCount capacity = std::max(GpuCount{0}, source.nominal - source.gone);
  if (log_ != nullptr) {
    (*log_)({.what = PoolChange::What::capacity,
             .pool = id,
             .at = now,
             .source = static_cast<std::uint8_t>(number),
             .gpus = capacity - source.capacity});
  }
  source.capacity_area.add((capacity - source.capacity).count(), now);
  source.free_area.add((capacity - source.capacity).count(), now);
  source.capacity = capacity;
  source.settle_shortage(now);
}

// The room of the lease is free for others; its machines may still be there.
void Books::vacate(PoolState& pool, LeaseSlot slot, SimTime now) {
  Lease& lease = leases_[slot];
  lease.ending.leaving = true;
  PoolState::vacate(pool.source(lease.lease_class), lease.lease_class, lease.gpus - lease.parts.going, now);
  if (pool.hosts) pool.hosts->vacate(placements_[index(slot)], now);
  pool.leases_of(lease.lease_class).remove(leases_, slot);
}

}  // namespace stockout
