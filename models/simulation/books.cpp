#include "models/simulation/books.h"

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

// A held pool has one source for every class; what it has is set when its machines come.
PoolState open_held_pool(const HeldPool& spec) {
  PoolState pool = open_pool(spec.pool);
  pool.held = &spec;
  pool.sources.emplace_back();
  pool.source_of.fill(0);
  return pool;
}

PoolTotals totals_of(const PoolState& pool, SimTime end) {
  PoolTotals totals = pool.totals;
  if (!pool.sources.empty()) totals.capacity = GpuTime{pool.sources.front().capacity_area.in_window(end)};
  if (pool.hosts) {
    totals.host_free = GpuTime{pool.hosts->free_area().in_window(end)};
    totals.host_stranded = GpuTime{pool.hosts->stranded_area().in_window(end)};
  }
  for (const SourceState& source : pool.sources) {
    if (pool.held == nullptr) totals.shortage += GpuTime{source.shortage_area.in_window(end)};
  }
  for (std::size_t c = 0; c < kLeaseClasses; ++c) {
    ClassTotals& of_class = totals.classes[c];
    of_class.leased = GpuTime{pool.leased_area[c].in_window(end)};
    of_class.leased_by_tenants = GpuTime{pool.tenant_area[c].in_window(end)};
    totals.leased += of_class.leased;
  }
  return totals;
}

}  // namespace

Books::Books(const World& world, const Strategy& strategy, const Logs& logs)
    : log_{logs.on_pool ? &logs.on_pool : nullptr} {
  pools_.reserve(world.pool_count());
  for (const Pool& spec : world.pools) pools_.push_back(open_zone_pool(spec, world.begin));
  for (const HeldPool& spec : world.held) pools_.push_back(open_held_pool(spec));
  for (const PoolId held : strategy.held) STOCKOUT_CHECK(world.is_held(held));
}

LeaseSlot Books::grant(const Lease& lease, std::span<const HostShare> shares) {
  PoolState& pool = pools_[index(lease.pool)];
  SourceState* source = pool.source(lease.lease_class);
  const GpuCount kept_for_bookings =
      source != nullptr && lease.job == kNoJob ? source->gathering : GpuCount{};
  STOCKOUT_CHECK(lease.gpus <= pool.room(lease.lease_class) + kept_for_bookings);
  pool.occupy(source, lease.lease_class, lease.gpus, lease.tenant, lease.granted);
  if (log_ != nullptr) tell_leased(lease, lease.gpus, lease.granted);
  const LeaseSlot slot = adopt(lease);
  if (pool.hosts) enter_hosts(pool, slot, shares);
  return slot;
}

LeaseSlot Books::adopt(const Lease& lease) {
  const LeaseSlot slot = leases_.add(lease);
  link(pools_[index(lease.pool)], slot);
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
  if (stands_.size() <= index(slot)) stands_.resize(index(slot) + 1);
  Stand& stand = stands_[index(slot)];
  stand.shares.assign(shares.begin(), shares.end());
  stand.is_spot = lease.lease_class == LeaseClass::spot;
  stand.has_started = false;
  pool.hosts->enter(stand, lease.granted);
}

// The lease has `gpus` more, or less, from now on.
void Books::change_leased(LeaseSlot slot, GpuCount gpus, SimTime now) {
  Lease& lease = leases_[slot];
  PoolState& pool = pools_[index(lease.pool)];
  pool.change_leased(pool.source(lease.lease_class), lease.lease_class, gpus, lease.tenant, now);
  if (log_ != nullptr) tell_leased(lease, gpus, now);
  Changed& before = changed_.try_emplace(slot, Changed{.area = {}, .since = lease.granted}).first->second;
  before.area += lease.gpus * (now - before.since);
  before.since = now;
  lease.gpus += gpus;
}

void Books::grow(LeaseSlot slot, GpuCount gpus, SimTime now) {
  Lease& lease = leases_[slot];
  PoolState& pool = pools_[index(lease.pool)];
  STOCKOUT_CHECK(!lease.leaving && gpus <= pool.room(lease.lease_class));
  if (SourceState* source = pool.source(lease.lease_class)) {
    source->all += gpus;
    if (lease.lease_class != LeaseClass::spot) source->solid += gpus;
  }
  change_leased(slot, gpus, now);
}

void Books::part_leaves(LeaseSlot slot, GpuCount gpus, SimTime now) {
  Lease& lease = leases_[slot];
  STOCKOUT_CHECK(!lease.leaving && lease.delayed == 0 && lease.going + gpus < lease.gpus);
  PoolState::vacate(pools_[index(lease.pool)].source(lease.lease_class), lease.lease_class, gpus, now);
  lease.going += gpus;
}

void Books::part_released(LeaseSlot slot, SimTime now) {
  Lease& lease = leases_[slot];
  STOCKOUT_CHECK(!lease.leaving);
  change_leased(slot, GpuCount{0} - lease.going, now);
  lease.going = GpuCount{0};
}

void Books::leave(LeaseSlot slot, SimTime now) {
  Lease& lease = leases_[slot];
  PoolState& pool = pools_[index(lease.pool)];
  STOCKOUT_CHECK(!lease.leaving && lease.job != kNoJob);
  if (lease.delayed > 0) remove_from_delayed(slot);
  vacate(pool, slot, now);
}

// GPU-time that the lease has held, as the books saw it.
GpuTime Books::area_of_partial(LeaseSlot slot, SimTime now) {
  const Lease& lease = leases_[slot];
  const auto changed = changed_.extract(slot);
  if (changed.empty()) return lease.gpus * (now - lease.granted);
  return changed.mapped().area + lease.gpus * (now - changed.mapped().since);
}

void Books::release(LeaseSlot slot, SimTime now, GpuTime split) {
  Lease& lease = leases_[slot];
  PoolState& pool = pools_[index(lease.pool)];
  if (lease.delayed > 0) remove_from_delayed(slot);
  if (!lease.leaving) vacate(pool, slot, now);
  if (pool.hosts) pool.hosts->release(stands_[index(slot)]);
  pool.change_leased(pool.source(lease.lease_class), lease.lease_class, GpuCount{0} - lease.gpus,
                     lease.tenant, now);
  if (log_ != nullptr) tell_leased(lease, GpuCount{0} - lease.gpus, now);
  const GpuTime area =
      lease.partial == kNoGang ? lease.gpus * (now - lease.granted) : area_of_partial(slot, now);
  STOCKOUT_CHECK(split == area, fmt::format("a lease on {} held {} GPU-ms but accounts for {}",
                                            pool.spec->name, area.count(), split.count()));
  pool.lease_gpu_ms += area.count();
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

std::vector<DelayedLot> Books::take_ready(PoolState& pool, SourceState& source) {
  if (pool.hosts) return ready_on_hosts(pool, source);
  std::vector<DelayedLot> ready;
  GpuCount available = source.delayed_gpus - std::max(GpuCount{0}, source.overhang());
  while (!source.delayed.empty() && source.delayed.front().gpus <= available) {
    ready.push_back(source.delayed.front());
    source.delayed.pop_front();
    source.delayed_gpus -= ready.back().gpus;
    available -= ready.back().gpus;
    --leases_[ready.back().lease].delayed;
  }
  return ready;
}

// In order: what a lease ahead of others on the list starts up on is not there for them.
std::vector<DelayedLot> Books::ready_on_hosts(PoolState& pool, const SourceState& source) {
  std::vector<DelayedLot> ready;
  for (const DelayedLot& lot : source.delayed) {
    if (pool.hosts->may_start(stands_[index(lot.lease)])) ready.push_back(lot);
  }
  for (const DelayedLot& lot : source.delayed) pool.hosts->turn_over(stands_[index(lot.lease)]);
  for (const DelayedLot& lot : ready) {
    remove_from_delayed(lot.lease);
    pool.hosts->start(stands_[index(lot.lease)]);
  }
  return ready;
}

bool Books::is_taken(const PoolState& pool, const SourceState* source, LeaseSlot slot) const {
  if (pool.hosts) return pool.hosts->is_taken(stands_[index(slot)]);
  return source != nullptr && source->overhang() > GpuCount{0};
}

bool Books::delay_if_taken(LeaseSlot slot, GpuCount gpus) {
  Lease& lease = leases_[slot];
  PoolState& pool = pools_[index(lease.pool)];
  SourceState* source = pool.source(lease.lease_class);
  if (!is_taken(pool, source, slot)) {
    if (pool.hosts) pool.hosts->start(stands_[index(slot)]);
    return false;
  }
  if (pool.hosts) pool.hosts->delay(stands_[index(slot)]);
  ++lease.delayed;
  source->delayed.push_back({.lease = slot, .gpus = gpus});
  source->delayed_gpus += gpus;
  return true;
}

void Books::remove_from_delayed(LeaseSlot slot) {
  Lease& lease = leases_[slot];
  PoolState& pool = pools_[index(lease.pool)];
  SourceState* source = pool.source(lease.lease_class);
  if (pool.hosts) pool.hosts->end_delay(stands_[index(slot)]);
  for (const DelayedLot& lot : source->delayed) {
    if (lot.lease == slot) source->delayed_gpus -= lot.gpus;
  }
  std::erase_if(source->delayed, [slot](const DelayedLot& lot) { return lot.lease == slot; });
  lease.delayed = 0;
}

// The room of the lease is free for others; its machines may still be there.
void Books::vacate(PoolState& pool, LeaseSlot slot, SimTime now) {
  Lease& lease = leases_[slot];
  lease.leaving = true;
  PoolState::vacate(pool.source(lease.lease_class), lease.lease_class, lease.gpus - lease.going, now);
  if (pool.hosts) pool.hosts->vacate(stands_[index(slot)], now);
  unlink(pool, slot);
}

void Books::link(PoolState& pool, LeaseSlot slot) {
  Lease& lease = leases_[slot];
  LeaseList& list = pool.leases[static_cast<std::size_t>(lease.lease_class)];
  lease.older = list.newest;
  lease.newer = kNoLease;
  (list.newest == kNoLease ? list.oldest : leases_[list.newest].newer) = slot;
  list.newest = slot;
}

void Books::unlink(PoolState& pool, LeaseSlot slot) {
  const Lease& lease = leases_[slot];
  LeaseList& list = pool.leases[static_cast<std::size_t>(lease.lease_class)];
  (lease.older == kNoLease ? list.oldest : leases_[lease.older].newer) = lease.newer;
  (lease.newer == kNoLease ? list.newest : leases_[lease.newer].older) = lease.older;
}

void Books::fail_full(const PoolState& pool, const SourceState& source) {
  throw InvariantError{fmt::format("pool {}: {} GPUs leased and not leaving, Spot among them, capacity {}",
                                   pool.spec->name, source.all.count(), source.capacity.count())};
}

void Books::check_hosts(const PoolState& pool) {
  const SourceState& source = pool.sources.front();
  pool.hosts->check(source.capacity, source.all, source.solid);
}

void Books::begin_counting() {
  for (PoolState& pool : pools_) {
    pool.totals = {};
    pool.totals.peak_waiting = pool.queue.size();
  }
}

void Books::forget_wishes() {
  for (PoolState& pool : pools_) pool.to_create.clear();
}

std::uint64_t Books::requests_ended() const {
  std::uint64_t ended = 0;
  for (const PoolState& pool : pools_) ended += pool.requests_ended;
  return ended;
}

std::vector<PoolTotals> Books::totals(SimTime end) const {
  std::vector<PoolTotals> totals;
  totals.reserve(pools_.size());
  for (const PoolState& pool : pools_) totals.push_back(totals_of(pool, end));
  return totals;
}

void Books::check_balance(SimTime end) {
  STOCKOUT_CHECK(leases_.live() == 0);
  for (const PoolState& pool : pools_) {
    std::int64_t leased = 0;
    std::vector<std::int64_t> leased_of(pool.sources.size());
    for (std::size_t c = 0; c < kLeaseClasses; ++c) {
      const std::int64_t area = pool.leased_area[c].total(end);
      leased += area;
      const std::int8_t source = pool.source_of[c];
      if (source != PoolState::kUnlimited) leased_of[static_cast<std::size_t>(source)] += area;
    }
    if (pool.hosts) pool.hosts->check_empty();
    const std::string& name = pool.spec->name;
    STOCKOUT_CHECK(leased == pool.lease_gpu_ms,
                   fmt::format("pool {}: the pool saw {} GPU-ms leased, its leases {}", name, leased,
                               pool.lease_gpu_ms));
    for (std::size_t s = 0; s < pool.sources.size(); ++s) {
      const SourceState& source = pool.sources[s];
      STOCKOUT_CHECK(source.capacity_area.total(end) == source.free_area.total(end) + leased_of[s],
                     fmt::format("pool {}, source {}: capacity {} is not free {} and leased {}", name, s,
                                 source.capacity_area.total(end), source.free_area.total(end), leased_of[s]));
    }
    STOCKOUT_CHECK(pool.waiting_area.total(end) == pool.waited_ms,
                   fmt::format("pool {}: Little's law: queue length {} ms, waits {} ms", name,
                               pool.waiting_area.total(end), pool.waited_ms));
  }
}

}  // namespace stockout
