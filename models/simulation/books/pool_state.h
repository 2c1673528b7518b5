#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "models/record/run_record.h"
#include "models/simulation/books/host_books.h"
#include "models/simulation/books/pool_counts.h"
#include "models/simulation/ground/area.h"
#include "models/simulation/ground/run_state.h"
#include "models/supply/capacity_path.h"
#include "models/supply/pool.h"
#include "models/supply/waiting_queue.h"
#include "sim/engine/slots.h"

namespace stockout {

/// Machines that a lease was granted at one time and has not got yet: all of it, or a batch of a partial
/// lease.
struct DelayedBatch {
  LeaseSlot lease = kNoLease;
  GpuCount gpus{};
};

/// Those of one capacity source, in order of grant.
struct DelayedBatches {
  std::deque<DelayedBatch> batches;
  GpuCount gpus{};  // of all of them

  [[nodiscard]] bool empty() const { return batches.empty(); }
};

/// The books of one capacity source of a pool.
struct SourceState {
  GpuCount nominal{};      // what its steps, or a held pool's machines, say
  GpuCount gone{};         // under repair
  GpuCount capacity{};     // nominal - gone, not below 0
  GpuCount gathering{};    // wanted by bookings that gather: no room for others
  GpuCount solid{};        // leases that are not leaving, of classes other than spot
  GpuCount all{};          // leases that are not leaving
  GpuCount leased{};       // all leases, leaving ones included
  DelayedBatches delayed;  // granted, their machines still taken
  CapacityPath path;       // not of a held pool
  Area capacity_area{};
  Area free_area{};
  Area shortage_area{};  // of GPUs by which leases that are not leaving exceed the capacity

  /// GPUs that leaving leases still take from what others were granted.
  [[nodiscard]] GpuCount overhang() const { return leased - std::max(capacity, all); }
  [[nodiscard]] bool is_over_full() const { return all > capacity; }
  /// `all` or `capacity` has changed.
  void settle_shortage(SimTime now) {
    const std::int64_t shortage = std::max(GpuCount{0}, all - capacity).count();
    if (shortage != shortage_area.level()) shortage_area.add(shortage - shortage_area.level(), now);
  }
  [[nodiscard]] bool is_censored() const { return path.is_censored(); }
};

/// Leases of one class that are not leaving, in order of grant.
struct LeaseList {
  LeaseSlot oldest = kNoLease;
  LeaseSlot newest = kNoLease;

  void add(Slots<Lease, LeaseSlot>& leases, LeaseSlot slot) {
    Lease& lease = leases[slot];
    lease.links.older = newest;
    lease.links.newer = kNoLease;
    (newest == kNoLease ? oldest : leases[newest].links.newer) = slot;
    newest = slot;
  }
  void remove(Slots<Lease, LeaseSlot>& leases, LeaseSlot slot) {
    const Lease& lease = leases[slot];
    (lease.links.older == kNoLease ? oldest : leases[lease.links.older].links.newer) = lease.links.newer;
    (lease.links.newer == kNoLease ? newest : leases[lease.links.newer].links.older) = lease.links.older;
  }
};

/// GPU-time of requests and lost races is no part of any pool's area, which would be checked: it is, here.
inline void add_checked(GpuTime& total, GpuTime more) {
  std::int64_t sum = 0;
  STOCKOUT_CHECK(!__builtin_add_overflow(total.count(), more.count(), &sum), "GPU-time beyond 64 bits");
  total = GpuTime{sum};
}

/// Requests that a pool decides in its next dispatch without a queue, in order of asking.
class AtOnce {
 public:
  /// Whether there is anything, of any class or of one.
  [[nodiscard]] bool empty() const { return classes_ == 0; }
  [[nodiscard]] bool has(LeaseClass lease_class) const { return (classes_ & bit_of(lease_class)) != 0; }

  /// A request, to be granted or refused. Its place.
  std::uint32_t add(LeaseClass lease_class, RequestSlot request) {
    classes_ |= bit_of(lease_class);
    requests(lease_class).push_back(request);
    return static_cast<std::uint32_t>(requests(lease_class).size() - 1);
  }
  /// A partial lease that asks for a further batch.
  void add(LeaseClass lease_class, LeaseSlot lease) {
    classes_ |= bit_of(lease_class);
    growing_[static_cast<std::size_t>(lease_class)].push_back(lease);
  }
  /// It was withdrawn.
  void leave_gap(LeaseClass lease_class, std::uint32_t place) { requests(lease_class)[place] = kNoRequest; }

  /// The dispatch comes to the class: its partial leases, which are here no more. Its requests are to be
  /// cleared when they are decided.
  [[nodiscard]] std::vector<LeaseSlot> take_up(LeaseClass lease_class) {
    classes_ &= static_cast<std::uint8_t>(~bit_of(lease_class));
    return std::exchange(growing_[static_cast<std::size_t>(lease_class)], {});
  }
  /// kNoRequest: a gap.
  [[nodiscard]] std::vector<RequestSlot>& requests(LeaseClass lease_class) {
    return requests_[static_cast<std::size_t>(lease_class)];
  }

 private:
  [[nodiscard]] static std::uint8_t bit_of(LeaseClass lease_class) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(lease_class));
  }

  std::array<std::vector<RequestSlot>, kLeaseClasses> requests_;
  std::array<std::vector<LeaseSlot>, kLeaseClasses> growing_;
  std::uint8_t classes_ = 0;  // a bit for each with any of these
};

/// Held pools that want machines of a pool.
struct HeldClaims {
  std::vector<PoolId> gathering;  // bookings that gather machines, in pool order
  std::vector<PoolId> to_create;  // those that ask in the next dispatch

  [[nodiscard]] bool empty() const { return gathering.empty() && to_create.empty(); }
};

/// One pool during a run.
struct PoolState {
  static constexpr std::int8_t kUnlimited = -1;

  const Pool* spec = nullptr;
  const HeldPool* held = nullptr;  // set for a held pool
  std::vector<SourceState> sources;
  std::array<std::int8_t, kLeaseClasses> source_of{};  // by LeaseClass; kUnlimited: no source
  std::array<LeaseList, kLeaseClasses> leases{};
  WaitingQueue queue{Discipline::first_fit};
  std::vector<std::int32_t> priorities;  // of waiting requests, by ClassId; empty: all are 0
  AtOnce at_once;
  HeldClaims claims;
  std::unique_ptr<HostBooks> hosts;  // of a pool with Placement

  PoolCounts counts;
  PoolTotals totals;  // of the window: cleared when warm-up ends

  [[nodiscard]] SourceState* source(LeaseClass lease_class) {
    const std::int8_t number = source_of[static_cast<std::size_t>(lease_class)];
    return number == kUnlimited ? nullptr : &sources[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] const SourceState* source(LeaseClass lease_class) const {
    const std::int8_t number = source_of[static_cast<std::size_t>(lease_class)];
    return number == kUnlimited ? nullptr : &sources[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] std::int32_t priority_of(ClassId job_class) const {
    return priorities.empty() ? 0 : priorities[index(job_class)];
  }
  [[nodiscard]] LeaseList& leases_of(LeaseClass lease_class) {
    return leases[static_cast<std::size_t>(lease_class)];
  }
  [[nodiscard]] ClassTotals& of_class(LeaseClass lease_class) {
    return totals.classes[static_cast<std::size_t>(lease_class)];
  }

  /// GPUs that a request of the class could be granted now, spot leases to be preempted for a stronger class
  /// included; of a held pool, what no lease has, leaving or not. Negative while the pool is over-full;
  /// kUnlimitedRoom without a source.
  [[nodiscard]] GpuCount room(LeaseClass lease_class) const { return room(source(lease_class), lease_class); }
  /// The same for whoever knows the source of the class.
  [[nodiscard]] GpuCount room(const SourceState* books, LeaseClass lease_class) const {
    if (books == nullptr) return kUnlimitedRoom;
    if (held != nullptr) return books->capacity - books->leased;
    return books->capacity - books->gathering - (lease_class == LeaseClass::spot ? books->all : books->solid);
  }

  // GPUs change hands: `source` is that of the class. Room must have been checked.

  /// They are leased, and not leaving.
  void occupy(SourceState* source, LeaseClass lease_class, GpuCount gpus, bool is_tenant, SimTime now) {
    if (source != nullptr) {
      source->all += gpus;
      if (lease_class != LeaseClass::spot) source->solid += gpus;
      if (source->is_censored()) ++totals.censored_grants;
    }
    ++of_class(lease_class).grants;
    change_leased(source, lease_class, gpus, is_tenant, now);
  }
  /// They are leased still, but leaving: their room is free for others.
  static void vacate(SourceState* source, LeaseClass lease_class, GpuCount gpus, SimTime now) {
    if (source == nullptr) return;
    source->all -= gpus;
    if (lease_class != LeaseClass::spot) source->solid -= gpus;
    source->settle_shortage(now);
  }
  /// So many more are leased, whether leaving or not; a negative number: they are gone.
  void change_leased(SourceState* source, LeaseClass lease_class, GpuCount more, bool is_tenant,
                     SimTime now) {
    if (source != nullptr) {
      source->leased += more;
      source->free_area.add(-more.count(), now);
    }
    counts.leased_area[static_cast<std::size_t>(lease_class)].add(more.count(), now);
    if (is_tenant) counts.tenant_area[static_cast<std::size_t>(lease_class)].add(more.count(), now);
  }

  // Requests in its queue.

  void count_waiting(GpuCount gpus, SimTime now) {
    counts.waiting_area.add(1, now);
    counts.waiting_gpus += gpus;
    totals.peak_waiting = std::max<std::uint64_t>(totals.peak_waiting, queue.size());
  }
  void count_left(GpuCount gpus, SimTime entered, SimTime now) {
    counts.waiting_area.add(-1, now);
    counts.waiting_gpus -= gpus;
    counts.waited_ms += (now - entered).count();
  }

  /// Nobody but its queue has anything to decide.
  [[nodiscard]] bool is_quiet() const { return at_once.empty() && claims.empty(); }
  /// The waiting request that the discipline would grant with `room` GPUs free; kNoRequest: none.
  [[nodiscard]] RequestSlot first_waiting(GpuCount room) const { return RequestSlot{queue.first(room)}; }
  /// The first in its order, whether it fits or not.
  [[nodiscard]] RequestSlot head_of_queue() const { return first_waiting(kUnlimitedRoom); }
  /// Whether machines of a class could be placed on its hosts, if it has any and spot yields to the stronger.
  [[nodiscard]] bool has_hosts(LeaseClass lease_class, const Footprint& footprint) const {
    return hosts == nullptr || hosts->fits(lease_class, footprint);
  }
  [[nodiscard]] bool has_hosts(const Candidate& candidate, const Leg& leg) const {
    return hosts == nullptr || hosts->fits(leg.policy.lease_class, candidate.footprint(leg.compact));
  }

  static constexpr GpuCount kUnlimitedRoom{std::int64_t{1} << 50};
};

}  // namespace stockout
