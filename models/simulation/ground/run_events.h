#pragma once

#include <cstddef>
#include <cstdint>

#include "models/simulation/ground/slot.h"
#include "sim/core/ids.h"

namespace stockout {

/// The phases of a round that take events from the agenda.
enum class Phase : std::uint8_t { releases, capacity, repairs, held, lifetimes, timers, wakes };
inline constexpr std::size_t kPhases = 7;

/// Kind of event that is set for a time to come.
enum class EventKind : std::uint8_t {
  lease_ends,
  flight_ends,
  work_begins,
  machines_join,
  capacity,
  repaired,
  held_until,  // what is due for held pools, in this order
  held_decided,
  held_gathers,
  held_opens,
  held_asks,
  machine_there,
  held_idle,
  life_over,
  fault,
  idle_fault,
  worker_exits,
  own_expiry,
  kept_over,
  attempt,
  tick,
  gather,
  wake
};

/// An event, and whom it concerns.
struct Event {
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};  // its subject: it was set anew

  EventKind kind;
  std::uint32_t subject;  // slot of a lease, request or job, number of a pool or orchestrator
  std::uint32_t detail;   // capacity: which source; repaired: GPUs; held pools: which; a partial lease:
                          // machine; wake: token

  template <typename Subject>
  [[nodiscard]] static Event of(EventKind kind, Subject subject, std::size_t detail = 0) {
    return {.kind = kind,
            .subject = static_cast<std::uint32_t>(subject),
            .detail = static_cast<std::uint32_t>(detail)};
  }
  [[nodiscard]] LeaseSlot lease() const { return LeaseSlot{subject}; }
  [[nodiscard]] RequestSlot request() const { return RequestSlot{subject}; }
  [[nodiscard]] JobSlot job() const { return JobSlot{subject}; }
  [[nodiscard]] PoolId pool() const { return PoolId{static_cast<std::uint16_t>(subject)}; }
};

/// A job while it is in one leg: void once it has left it.
struct JobStay {
  JobSlot job{};
  std::uint32_t generation = 0;
  std::uint32_t stay = 0;
};

/// Step of a job in the next timer phase of this instant.
enum class Step : std::uint8_t {
  own_wait_over,
  attempt,
  next_leg,
  next_leg_anew,
  next_place,
  patience_over,
  turned_away,
  admit,
  fail,
  give_up,
  skip,
  evict,
  suspend,
  start_over,
  work,
  begin_anew,
  begin_anew_in_place,
  tick,
  gather
};

/// Such a step of one job, void if the job has gone or, of most steps, has moved on.
struct Due {
  JobStay stay;
  Step step;
};

}  // namespace stockout
