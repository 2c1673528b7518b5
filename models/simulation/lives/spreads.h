#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "models/simulation/books/books.h"
#include "models/simulation/books/route.h"
#include "models/simulation/ground/tables.h"

namespace stockout {

/// The leases of a gang that is spread.
struct SpreadGang {
  std::vector<Candidate> shares;  // what each lease is for; the leases point at them
  std::vector<LeaseSlot> leases;  // in order of places
  std::size_t open = 0;           // of these, leases that are not over
  std::size_t started = 0;        // ... leases whose machines are coming
  std::int64_t machines = 0;      // of all
  SimTime up = kNever;            // the last of them is up, of those that are coming
};

/// Gangs that are placed in several pools at once: a lease in each, which are granted, start, are lost and
/// end as one. It knows which leases belong together; the first of them leads, and has the timers of all.
class Spreads {
 public:
  /// All outlive it.
  Spreads(const Tables& tables, const Route& route, Books& books)
      : tables_{tables}, route_{route}, books_{books} {}

  /// Shares of a request for a gang that may be spread, place by place, by the rule of its leg; empty: it is
  /// refused. `room`: GPUs that a pool has for it.
  [[nodiscard]] std::vector<Candidate> shares_of(const Request& request,
                                                 const std::function<GpuCount(const PoolState&)>& room) const;
  /// A gang of these shares, without leases yet.
  SpreadSlot add(std::vector<Candidate> shares);
  [[nodiscard]] const std::vector<Candidate>& shares(SpreadSlot slot) const { return gangs_[slot].shares; }
  /// The lease of its next share was entered.
  void join(SpreadSlot slot, LeaseSlot lease);
  /// A lease of it is over.
  void leave(SpreadSlot slot);

  /// In order of places; the first leads.
  [[nodiscard]] const std::vector<LeaseSlot>& leases(SpreadSlot slot) const { return gangs_[slot].leases; }
  /// One more lease has started; true: it was the last.
  bool note_started(SpreadSlot slot, SimTime up);
  /// When all its machines are up, of all leases of its gang.
  [[nodiscard]] SimTime up_of(const Lease& lease) const {
    return lease.parts.spread == kNoSpread ? lease.times.up : gangs_[lease.parts.spread].up;
  }
  [[nodiscard]] std::int64_t machines(SpreadSlot slot) const { return gangs_[slot].machines; }
  /// GPUs of all its leases that the job uses.
  [[nodiscard]] GpuCount gpus_used(SpreadSlot slot) const;
  /// The course of the leader is that of all.
  void follow_leader(SpreadSlot slot);

 private:
  const Tables& tables_;
  const Route& route_;
  Books& books_;
  Slots<SpreadGang, SpreadSlot> gangs_;
};

}  // namespace stockout
