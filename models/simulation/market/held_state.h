#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/simulation/ground/run_state.h"
#include "sim/core/time.h"
#include "sim/engine/event_queue.h"

namespace stockout {

/// Machines that a held pool had for a while, and pays until then.
struct HeldSpan {
  MachineCount machines{};
  SimTime since{};
  SimTime until{};
};

/// The machines of an elastic pool, each with a lease of its own.
struct ElasticState {
  bool asking = false;              // it has asked for machines, or will ask again
  std::uint32_t machines_ever = 0;  // granted so far
  std::vector<LeaseSlot> coming;    // leases of machines that are granted, but not there yet
  std::deque<LeaseSlot> there;      // leases of the machines that are there, the longest first
  std::deque<SimTime> idle;         // since when machines are free, the longest first
  SimTime added{};                  // the last grant of a machine
  EventHandle idle_timer{};

  [[nodiscard]] std::int64_t machines() const {
    return static_cast<std::int64_t>(coming.size() + there.size());
  }
};

/// One held pool during a run.
struct HeldState {
  bool over = false;            // past its `until`, or its booking refused: nothing more happens to it
  bool accepted = false;        // a booking: the provider said yes
  LeaseSlot lease = kNoLease;   // on the landlord; not of an elastic pool
  SimTime since = kNever;       // when its first machines were there for jobs
  std::vector<HeldSpan> spans;  // in the window; added as machines are given back
  EventHandle ask{};            // when it asks again
  EventHandle end{};            // its `until`
  ElasticState elastic;
};

}  // namespace stockout
