#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "models/simulation/books/delayed_starts.h"
#include "models/simulation/books/pool_state.h"
#include "models/simulation/simulate.h"
#include "models/world/world.h"
#include "sim/engine/slots.h"

namespace stockout {

/// Who holds which GPUs. The one place where capacity changes hands: everything else decides, and calls one
/// of these verbs, each of which checks what it is asked to do.
class Books {
 public:
  /// `strategy` says which held pools exist in this run. `logs` outlives the books: on_pool is told of
  /// capacity and leases.
  Books(const World& world, const Strategy& strategy, const Logs& logs = {});
  Books(const Books&) = delete;
  Books& operator=(const Books&) = delete;

  [[nodiscard]] PoolState& pool(PoolId id) { return pools_[index(id)]; }
  [[nodiscard]] std::vector<PoolState>& pools() { return pools_; }
  [[nodiscard]] Slots<Lease, LeaseSlot>& leases() { return leases_; }

  /// Enters a lease granted at `lease.granted`. The GPUs count from now on; room must have been checked.
  /// `shares`: the hosts it is placed on, in a pool with Placement.
  LeaseSlot grant(const Lease& lease, std::span<const HostShare> shares = {});

  /// Enters a lease whose GPUs count already.
  LeaseSlot adopt(const Lease& lease);

  /// The hosts of a lease in a pool with Placement.
  [[nodiscard]] const LeasePlacement& placement(LeaseSlot slot) const { return placements_[index(slot)]; }

  /// The lease has got notice: its room is free for others, its machines not yet.
  void leave(LeaseSlot slot, SimTime now);

  /// A partial lease has got `gpus` more; room must have been checked.
  void grow(LeaseSlot slot, GpuCount gpus, SimTime now);

  /// Machines of a partial lease with so many GPUs have got notice; the others stay.
  void part_leaves(LeaseSlot slot, GpuCount gpus, SimTime now);

  /// All machines of the lease that were leaving are gone, the lease stays.
  void part_released(LeaseSlot slot, SimTime now);

  /// The lease is over and its machines are gone. `split` must add up to its area.
  void release(LeaseSlot slot, SimTime now, GpuTime split);

  /// A capacity source of the pool has `gpus` from `now` on, less those that are gone.
  void resize(PoolId id, std::size_t source, GpuCount gpus, SimTime now);

  /// `gpus` of a capacity source are gone, until they are restored.
  void lose(PoolId id, std::size_t source, GpuCount gpus, SimTime now);
  void restore(PoolId id, std::size_t source, GpuCount gpus, SimTime now);

  /// Leases whose machines are still taken.
  [[nodiscard]] DelayedStarts& delayed() { return delayed_; }

 private:
  void settle_capacity(PoolId id, std::size_t number, SimTime now);
  void tell_leased(const Lease& lease, GpuCount more, SimTime now) const;
  void enter_hosts(PoolState& pool, LeaseSlot slot, std::span<const HostShare> shares);
  void vacate(PoolState& pool, LeaseSlot slot, SimTime now);
  void change_leased(LeaseSlot slot, GpuCount gpus, SimTime now);
  [[nodiscard]] GpuTime area_of_partial(LeaseSlot slot, SimTime now);

  // What a partial lease held before its GPUs last changed.
  struct Changed {
    GpuTime area;
    SimTime since;
  };

  const PoolLog* log_;  // nullptr: nobody asks
  std::vector<PoolState> pools_;
  Slots<Lease, LeaseSlot> leases_;
  std::unordered_map<LeaseSlot, Changed> changed_;
  std::vector<LeasePlacement> placements_;  // by slot; of leases in pools with Placement
  DelayedStarts delayed_{leases_, placements_};
};

}  // namespace stockout
