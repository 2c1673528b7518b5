#include "models/simulation/delayed_starts.h"

#include <algorithm>

namespace stockout {

bool DelayedStarts::add_if_taken(PoolState& pool, LeaseSlot slot, GpuCount gpus) {
  Lease& lease = leases_[slot];
  SourceState* source = pool.source(lease.lease_class);
  if (!is_taken(pool, source, slot)) {
    if (pool.hosts) pool.hosts->start(stand(slot));
    return false;
  }
  if (pool.hosts) pool.hosts->delay(stand(slot));
  ++lease.parts.delayed;
  ++lots_;
  source->delayed.lots.push_back({.lease = slot, .gpus = gpus});
  source->delayed.gpus += gpus;
  return true;
}

bool DelayedStarts::is_taken(const PoolState& pool, const SourceState* source, LeaseSlot slot) const {
  if (pool.hosts) return pool.hosts->is_taken(stands_[index(slot)]);
  return source != nullptr && source->overhang() > GpuCount{0};
}

std::vector<DelayedLot> DelayedStarts::take_ready(PoolState& pool, SourceState& source) {
  if (pool.hosts) return ready_on_hosts(pool, source);
  std::vector<DelayedLot> ready;
  DelayedLots& delayed = source.delayed;
  GpuCount available = delayed.gpus - std::max(GpuCount{0}, source.overhang());
  while (!delayed.empty() && delayed.lots.front().gpus <= available) {
    ready.push_back(delayed.lots.front());
    delayed.lots.pop_front();
    delayed.gpus -= ready.back().gpus;
    available -= ready.back().gpus;
    --leases_[ready.back().lease].parts.delayed;
    --lots_;
  }
  return ready;
}

// In order: what a lease ahead of others on the list starts up on is not there for them.
std::vector<DelayedLot> DelayedStarts::ready_on_hosts(PoolState& pool, const SourceState& source) {
  std::vector<DelayedLot> ready;
  for (const DelayedLot& lot : source.delayed.lots) {
    if (pool.hosts->may_start(stand(lot.lease))) ready.push_back(lot);
  }
  for (const DelayedLot& lot : source.delayed.lots) pool.hosts->turn_over(stand(lot.lease));
  for (const DelayedLot& lot : ready) {
    remove(pool, lot.lease);
    pool.hosts->start(stand(lot.lease));
  }
  return ready;
}

void DelayedStarts::remove(PoolState& pool, LeaseSlot slot) {
  Lease& lease = leases_[slot];
  DelayedLots& delayed = pool.source(lease.lease_class)->delayed;
  if (pool.hosts) pool.hosts->end_delay(stand(slot));
  for (const DelayedLot& lot : delayed.lots) {
    if (lot.lease == slot) delayed.gpus -= lot.gpus;
  }
  lots_ -= std::erase_if(delayed.lots, [slot](const DelayedLot& lot) { return lot.lease == slot; });
  lease.parts.delayed = 0;
}

}  // namespace stockout
