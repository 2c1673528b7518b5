#include "models/simulation/books/delayed_starts.h"

#include <algorithm>

namespace stockout {

bool DelayedStarts::add_if_taken(PoolState& pool, LeaseSlot slot, GpuCount gpus) {
  Lease& lease = leases_[slot];
  SourceState* source = pool.source(lease.lease_class);
  if (!is_taken(pool, source, slot)) {
    if (pool.hosts) pool.hosts->start(placement(slot));
    return false;
  }
  if (pool.hosts) pool.hosts->delay(placement(slot));
  ++lease.parts.delayed;
  ++batches_;
  source->delayed.batches.push_back({.lease = slot, .gpus = gpus});
  source->delayed.gpus += gpus;
  return true;
}

bool DelayedStarts::is_taken(const PoolState& pool, const SourceState* source, LeaseSlot slot) const {
  if (pool.hosts) return pool.hosts->is_taken(placements_[index(slot)]);
  return source != nullptr && source->overhang() > GpuCount{0};
}

std::vector<DelayedBatch> DelayedStarts::take_ready(PoolState& pool, SourceState& source) {
  if (pool.hosts) return ready_on_hosts(pool, source);
  std::vector<DelayedBatch> ready;
  DelayedBatches& delayed = source.delayed;
  GpuCount available = delayed.gpus - std::max(GpuCount{0}, source.overhang());
  while (!delayed.empty() && delayed.batches.front().gpus <= available) {
    ready.push_back(delayed.batches.front());
    delayed.batches.pop_front();
    delayed.gpus -= ready.back().gpus;
    available -= ready.back().gpus;
    --leases_[ready.back().lease].parts.delayed;
    --batches_;
  }
  return ready;
}

// In order: what a lease ahead of others on the list starts up on is not there for them.
std::vector<DelayedBatch> DelayedStarts::ready_on_hosts(PoolState& pool, const SourceState& source) {
  std::vector<DelayedBatch> ready;
  for (const DelayedBatch& batch : source.delayed.batches) {
    if (pool.hosts->may_start(placement(batch.lease))) ready.push_back(batch);
  }
  for (const DelayedBatch& batch : source.delayed.batches) pool.hosts->turn_over(placement(batch.lease));
  for (const DelayedBatch& batch : ready) {
    remove(pool, batch.lease);
    pool.hosts->start(placement(batch.lease));
  }
  return ready;
}

void DelayedStarts::remove(PoolState& pool, LeaseSlot slot) {
  Lease& lease = leases_[slot];
  DelayedBatches& delayed = pool.source(lease.lease_class)->delayed;
  if (pool.hosts) pool.hosts->end_delay(placement(slot));
  for (const DelayedBatch& batch : delayed.batches) {
    if (batch.lease == slot) delayed.gpus -= batch.gpus;
  }
  batches_ -=
      std::erase_if(delayed.batches, [slot](const DelayedBatch& batch) { return batch.lease == slot; });
  lease.parts.delayed = 0;
}

}  // namespace stockout
