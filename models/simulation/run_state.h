#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/simulation/slot.h"
#include "models/supply/waiting_queue.h"
#include "models/workload/jobs.h"
#include "sim/core/ids.h"
#include "sim/core/time.h"
#include "sim/engine/event_queue.h"

namespace stockout {

/// A job without a row in the run record: a tenant's.
inline constexpr std::uint64_t kNotRecorded = ~std::uint64_t{0};
inline constexpr std::size_t kMostLegs = 15;

/// Why a leg of a job came to its end.
enum class Exhaustion : std::uint8_t { impossible, stock_out, retries_spent, patience, restarts_spent };

/// What a job without a lease is waiting for.
enum class Stage : std::uint8_t {
  moving,     // a decision, a retry, its turn
  in_line,    // the word of an orchestrator, to ask in its leg
  queueing,   // in the queues of its leg
  past_legs,  // only kept requests are left to it
};

/// What ends a lease if nothing interrupts it.
enum class EndsBy : std::uint8_t { done, cut_off, window };

/// What ends a lease before that.
enum class Interruption : std::uint8_t {
  none,
  preempted,
  fault,
  given_up,
  machines_lost,     // of a partial lease: it goes on with fewer machines
  gathered_too_few,  // a partial lease did not get enough machines in time
  lost_race,         // another lease of the job began to work
};

/// One open request: a job asks one pool for one gang.
struct Request {
  JobSlot job = kNoJob;
  RequestSlot next_of_job = kNoRequest;  // list of the job's open requests
  const Candidate* candidate = nullptr;
  const Leg* leg = nullptr;
  std::uint8_t leg_number = 0;
  bool waiting = false;  // in the pool's queue; else among its at-once requests
  WaitingKey key{};
  std::uint32_t place = 0;  // at-once: its place in the pool's list
  SimTime entered{};
  EventHandle kept_until{};  // the end of a kept request
};

/// A granted request: all its machines, until they are released as one.
struct Lease {
  JobSlot job = kNoJob;  // kNoJob: a held pool's own lease
  PoolId pool{};
  LeaseClass lease_class{};
  bool leaving = false;
  bool tenant = false;
  bool saves = false;  // a last checkpoint is complete at the scheduled end
  EndsBy ends_by = EndsBy::done;
  Interruption interrupted = Interruption::none;  // then its scheduled end is that of its notice
  std::uint8_t fault_rule = 0;                    // by which rule of the pool ...
  std::uint32_t fault_machine = 0;                // ... which machine breaks first
  std::uint32_t delayed = 0;   // lots of it (one, but of a partial lease) whose machines are still taken
  PoolId held = kNoPool;       // a held pool's own lease: which
  GangSlot partial = kNoGang;  // of a partial lease: its machines
  std::uint32_t attempt = 0;   // keys its draws
  LeaseSlot next_of_job = kNoLease;  // list of the job's leases: rivals in a race
  LeaseSlot older = kNoLease;  // neighbours among the leases of its pool and class that are not leaving,
  LeaseSlot newer = kNoLease;  // in order of grant
  std::uint64_t machine = 0;   // an elastic pool's: its number among its machines
  const Candidate* candidate = nullptr;
  const Leg* leg = nullptr;
  GpuCount gpus{};
  SimTime granted{};
  SimTime up{};            // machines up: billing begins
  SimTime working{};       // work begins
  SimTime ends{};          // kNever while delayed
  SimTime stops = kNever;  // work stops here at the latest: it is done, or a last checkpoint is written
  EventHandle end_event{};
  EventHandle life_event{};
  EventHandle fault_event{};
  EventHandle begin_event{};  // in a race: work begins
  GpuCount going{};           // of a partial lease: of machines that leave while the others stay

  /// How long its work has gone on by `now`; negative if it begins later.
  [[nodiscard]] SimDuration ran_until(SimTime now) const {
    return working == kNever ? SimDuration::zero() : std::min(now, stops) - working;
  }
};

/// Tries of one job, by leg, that count against a limit.
struct SpentTries {
  std::array<std::uint16_t, kMostLegs> retries{};
  std::array<std::uint16_t, kMostLegs> restarts{};
};

/// A job between its submission and its final state.
struct JobState {
  Job job{};
  const Strategy* strategy = nullptr;
  std::uint64_t record = kNotRecorded;
  std::size_t usable = 0;             // where its strategy's usable candidates begin
  std::uint32_t strategy_number = 0;  // among the run's strategies
  std::uint32_t generation =
      0;  // never the same for two jobs: tells a job's timers from its slot's former jobs'; 0: gone
  std::uint32_t stay = 0;     // counts entries into legs; a timer of an earlier stay is void
  std::uint32_t attempt = 0;  // counts from 1
  std::uint8_t leg = 0;
  std::uint16_t place = 0;      // at-once leg: the place it asks
  SimTime entered{};            // when it entered the leg
  std::uint64_t leg_order = 0;  // strategies that look at prices: four bits a leg, the first lowest
  bool ever_granted = false;
  bool is_released = false;            // submitted, and let begin by its orchestrators
  std::uint8_t orchestrators = 0;      // a bit for each that it concerns
  std::uint8_t next_orchestrator = 0;  // that is asked next, or whose word it waits for
  Stage stage = Stage::moving;
  std::uint8_t barred = 0;     // deadline rule: a bit for each leg that refused it ...
  SimTime barred_at = kNever;  // ... at this instant
  RequestSlot first_request = kNoRequest;
  LeaseSlot lease = kNoLease;  // the latest; several in a race
  SimDuration work_left{};
  SimTime released{};
  SimTime first_grant = kNever;
  SimTime first_running = kNever;
  SimDuration leased{};
  SimTime leased_since{};  // while it has leases: since when without a break
  SimDuration lost{};
  std::uint32_t preemptions = 0;
  TriesSlot tries = kNoTries;  // its SpentTries, from the first on
  EventHandle expiry{};        // of the job's own maximum wait
  EventHandle next_attempt{};  // the attempt that is due later
  EventHandle tick{};          // deadline rule: the next decision

  [[nodiscard]] bool waits_for_orchestrator() const { return !is_released || stage == Stage::in_line; }
};

}  // namespace stockout
