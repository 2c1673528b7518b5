#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/billing/usage.h"
#include "models/execution/work.h"
#include "models/simulation/ground/run_state.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"
#include "sim/engine/event_queue.h"

namespace stockout {

/// One machine of a partial lease. Machines come and go one by one; the job works on those that are there.
struct PartialMachine {
  SimTime up = kNever;                          // billing begins; kNever: not granted to it yet, or delayed
  Interruption leaves_by = Interruption::none;  // why it is leaving while the lease stays
  bool gone = false;                            // billed already
  bool waits = false;                           // until it joins those at work
  std::uint8_t fault_rule = 0;                  // by which rule of the pool it breaks
  EventHandle life{};
  EventHandle fault{};

  [[nodiscard]] bool is_staying() const { return !gone && leaves_by == Interruption::none; }
};

/// The machines that a partial lease is for.
struct GangSize {
  std::int64_t asked = 0;  // machines
  std::int64_t least = 0;
  GpuCount each{};    // GPUs of a machine
  GpuCount unused{};  // of these, GPUs the job does not use

  /// Where the time of so many machines went.
  [[nodiscard]] TimeSplit split(std::int64_t machines, SimDuration length, SimDuration kept,
                                SimDuration lost) const {
    return split_of((each - unused) * machines, unused * machines, length, kept, lost);
  }
};

/// The work of a partial lease, in pieces: in each, the number of machines does not change.
struct PieceWork {
  Rate rate = kReferenceRate;      // of the machines there
  SimTime since{};                 // the piece of now began
  SimTime waits_since{};           // so long the number of machines that wait beside it is as it is
  TimeSplit split{};               // of the pieces before
  SimDuration lost{};              // work lost in them
  SimTime first_working = kNever;  // work began, in a piece before
};

/// Data of a partial lease beside those of every lease.
struct PartialLease {
  std::vector<PartialMachine> machines;  // in order of grant, those that are gone included
  GangSize size{};
  std::size_t started = 0;    // machines whose start-up has begun
  std::size_t tested = 0;     // ... and that have been tested
  SimTime gathers_since{};    // its grant, or the last loss of machines after which it gathered anew
  SimTime last_up = kNever;   // the last of them is up
  SimTime complete = kNever;  // the gang has gathered
  EventHandle step{};         // the next asking, or the end of gathering
  PieceWork work{};

  [[nodiscard]] bool gathers() const { return complete == kNever; }
  /// Machines that wait until they join those at work, and where their time went since their number changed.
  [[nodiscard]] std::int64_t waiting() const {
    return std::ranges::count_if(machines, [](const PartialMachine& one) { return one.waits && !one.gone; });
  }
  void add_waiting(SimTime now) {
    work.split += size.split(waiting(), now - work.waits_since, SimDuration::zero(), SimDuration::zero());
    work.waits_since = now;
  }
};

/// Machines a partial request is granted of `asked`: none if they are fewer than `least`.
[[nodiscard]] constexpr std::int64_t machines_that_fit(GpuCount room, GpuCount each, std::int64_t asked,
                                                       std::int64_t least) {
  const std::int64_t fit = room.count() / each.count();
  const std::int64_t granted = fit < asked ? fit : asked;
  return granted < least ? 0 : granted;
}

}  // namespace stockout
