#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "models/simulation/pool_state.h"
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

  [[nodiscard]] PoolState& pool(PoolId id) { return pools_[index(id)]; }
  [[nodiscard]] std::vector<PoolState>& pools() { return pools_; }
  [[nodiscard]] Slots<Lease, LeaseSlot>& leases() { return leases_; }

  /// Enters a lease granted at `lease.granted`. The GPUs count from now on; room must have been checked.
  /// `shares`: the hosts it stands on, in a pool with Placement.
  LeaseSlot grant(const Lease& lease, std::span<const HostShare> shares = {});

  /// Enters a lease whose GPUs count already.
  LeaseSlot adopt(const Lease& lease);

  /// The hosts of a lease in a pool with Placement.
  [[nodiscard]] const Stand& stand(LeaseSlot slot) const { return stands_[index(slot)]; }

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

  /// Takes the delayed lots whose machines have become free off the list of the source, in its order: as many
  /// as its free GPUs hold, or in a pool with Placement all whose own hosts are free.
  std::vector<DelayedLot> take_ready(PoolState& pool, SourceState& source);

  /// Puts `gpus` just granted to a lease on the list of those that are still taken, if they are.
  bool delay_if_taken(LeaseSlot slot, GpuCount gpus);

  /// No Spot lease stays where the leases that are not leaving exceed the capacity of their source; in a held
  /// pool, none does.
  void check_capacity(const PoolState& pool) const {
    for (const SourceState& source : pool.sources) {
      if (source.is_over_full() && (pool.held != nullptr || source.all != source.solid))
        fail_full(pool, source);
    }
    if (pool.hosts) check_hosts(pool);
  }

  /// The window begins: totals count from now on.
  void begin_counting();
  /// The run ends: held pools that would ask get nothing any more.
  void forget_wishes();
  /// Requests that were granted, refused or withdrawn, warm-up included.
  [[nodiscard]] std::uint64_t requests_ended() const;
  /// What the pools come to when the run ends, by PoolId.
  [[nodiscard]] std::vector<PoolTotals> totals(SimTime end) const;

  /// Both sides of each pool's books agree at the end of the run, after all leases are closed.
  void check_balance(SimTime end);

 private:
  [[noreturn]] static void fail_full(const PoolState& pool, const SourceState& source);
  static void check_hosts(const PoolState& pool);
  [[nodiscard]] std::vector<DelayedLot> ready_on_hosts(PoolState& pool, const SourceState& source);
  void settle_capacity(PoolId id, std::size_t number, SimTime now);
  void tell_leased(const Lease& lease, GpuCount more, SimTime now) const;
  [[nodiscard]] bool is_taken(const PoolState& pool, const SourceState* source, LeaseSlot slot) const;
  void enter_hosts(PoolState& pool, LeaseSlot slot, std::span<const HostShare> shares);
  void vacate(PoolState& pool, LeaseSlot slot, SimTime now);
  void change_leased(LeaseSlot slot, GpuCount gpus, SimTime now);
  [[nodiscard]] GpuTime area_of_partial(LeaseSlot slot, SimTime now);
  void link(PoolState& pool, LeaseSlot slot);
  void unlink(PoolState& pool, LeaseSlot slot);
  void remove_from_delayed(LeaseSlot slot);

  const PoolLog* log_;  // nullptr: nobody asks
  std::vector<PoolState> pools_;
  // What a partial lease held before its GPUs last changed.
  struct Changed {
    GpuTime area;
    SimTime since;
  };

  Slots<Lease, LeaseSlot> leases_;
  std::unordered_map<LeaseSlot, Changed> changed_;
  std::vector<Stand> stands_;  // by slot; of leases in pools with Placement
};

}  // namespace stockout
