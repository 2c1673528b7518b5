#pragma once

#include <cstddef>
#include <vector>

#include "models/simulation/books/pool_state.h"
#include "models/simulation/ground/run_state.h"
#include "sim/engine/slots.h"

namespace stockout {

/// Leases that were granted machines which leaving leases still take: they start up when those are gone, in
/// order of grant.
class DelayedStarts {
 public:
  /// Both outlive it. `placements`: by slot, of leases in pools with Placement.
  DelayedStarts(Slots<Lease, LeaseSlot>& leases, std::vector<LeasePlacement>& placements)
      : leases_{leases}, placements_{placements} {}

  /// `gpus` were just granted to a lease. If they are still taken they wait from now on; false: they are
  /// free, and it starts.
  bool add_if_taken(PoolState& pool, LeaseSlot slot, GpuCount gpus);
  /// Takes those off the list of the source whose machines have become free, in its order: as many as its
  /// free GPUs hold, or in a pool with Placement all whose own hosts are free.
  std::vector<DelayedBatch> take_ready(PoolState& pool, SourceState& source);
  /// The lease waits no more: it is leaving, or over.
  void remove(PoolState& pool, LeaseSlot slot);
  /// Nobody waits so, in any pool.
  [[nodiscard]] bool empty() const { return batches_ == 0; }

 private:
  [[nodiscard]] std::vector<DelayedBatch> ready_on_hosts(PoolState& pool, const SourceState& source);
  [[nodiscard]] bool is_taken(const PoolState& pool, const SourceState* source, LeaseSlot slot) const;
  [[nodiscard]] LeasePlacement& placement(LeaseSlot slot) { return placements_[index(slot)]; }

  Slots<Lease, LeaseSlot>& leases_;
  std::vector<LeasePlacement>& placements_;
  std::size_t batches_ = 0;  // on the lists of all sources
};

}  // namespace stockout
