#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/simulation/ground/slot.h"
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
enum class Exhaustion : std::uint8_t {
  impossible,
  stock_out,
  retries_spent,
  patience,
  own_wait,
  restarts_spent
};

/// Stage of a job that has no lease.
enum class Stage : std::uint8_t {
  moving,     // a decision, a retry, its turn
  in_line,    // the word of an orchestrator, to ask in its leg
  queueing,   // in the queues of its leg
  past_legs,  // only kept requests are left to it
};

/// End of a lease if nothing interrupts it.
enum class EndsBy : std::uint8_t { done, cut_off, window, booking };

/// Event that ends a lease before that.
enum class Interruption : std::uint8_t {
  none,
  preempted,
  fault,
  maintenance,  // a fault with notice
  worker_exit,
  failed,  // a worker exited for good
  given_up,
  machines_lost,     // of a partial lease: it goes on with fewer machines
  gathered_too_few,  // a partial lease did not get enough machines in time
  lost_race,         // another lease of the job began to work
};

[[nodiscard]] constexpr bool is_fault(Interruption why) {
  return why == Interruption::fault || why == Interruption::maintenance;
}

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

/// The request that a lease was granted.
struct LeaseRequest {
  const Candidate* candidate = nullptr;
  const Leg* leg = nullptr;
  std::uint32_t attempt = 0;        // keys its draws, with the numbers of its machines ...
  std::uint32_t first_machine = 0;  // ... from this on
};

/// The course of a lease. Times to come are those of now: they move with its notice.
struct LeaseTimes {
  SimTime granted{};
  SimTime up{};            // machines up: billing begins
  SimTime working{};       // work begins
  SimTime ends{};          // kNever while delayed
  SimTime stops = kNever;  // work stops here at the latest: it is done, or a last checkpoint is written

  /// How long its work has gone on by `now`; negative if it begins later.
  [[nodiscard]] SimDuration ran_until(SimTime now) const {
    return working == kNever ? SimDuration::zero() : std::min(now, stops) - working;
  }
};

/// How a lease comes to its end.
struct LeaseEnding {
  bool leaving = false;     // its room is free for others, its machines not yet
  bool saves = false;       // a last checkpoint is complete at the scheduled end
  bool goes_along = false;  // of a gang that is spread: another lease of it was taken
  EndsBy by = EndsBy::done;
  Interruption interrupted = Interruption::none;  // then its scheduled end is that of its notice
  std::uint8_t fault_rule = 0;                    // by which rule of the pool ...
  std::uint32_t fault_machine = 0;                // ... which machine breaks first
};

/// Timers of a lease.
struct LeaseTimers {
  EventHandle end{};
  EventHandle life{};
  EventHandle fault{};
  EventHandle begin{};  // in a race: work begins; of a partial lease: machines join those at work
};

/// The lists that a lease is in.
struct LeaseLinks {
  LeaseSlot next_of_job = kNoLease;  // the job's leases: rivals in a race
  LeaseSlot older = kNoLease;  // neighbours among the leases of its pool and class that are not leaving,
  LeaseSlot newer = kNoLease;  // in order of grant
};

/// The held pool that has the lease, if one has.
struct LeaseHolder {
  PoolId pool = kNoPool;
  std::uint32_t machine = 0;  // an elastic pool's: its number among its machines
};

/// Work of a lease before it was interrupted and kept its machines.
struct PastWork {
  SimDuration kept{};
  SimDuration lost{};
  SimTime running = kNever;  // when it first began
};

/// Of a lease whose machines come or go one by one, or that is one of several of a gang.
struct LeaseParts {
  GangSlot gang = kNoGang;          // of a partial lease: its machines
  SpreadSlot spread = kNoSpread;    // of a gang that is spread over places: its leases
  PastWorkSlot past = kNoPastWork;  // of one that was interrupted and kept its machines
  std::uint32_t delayed = 0;        // batches (one, but of a partial lease) whose machines are still taken
  GpuCount going{};                 // of a partial lease: of machines that leave while the others stay
};

/// A granted request: all its machines, until they are released as one.
struct Lease {
  JobSlot job = kNoJob;  // kNoJob: a held pool's own lease
  PoolId pool{};
  LeaseClass lease_class{};
  bool tenant = false;
  GpuCount gpus{};
  LeaseEnding ending{};
  LeaseLinks links{};
  LeaseParts parts{};
  LeaseRequest asked{};
  LeaseTimes times{};
  LeaseTimers timers{};
  LeaseHolder holder{};
};

/// Tries of one job, by leg, that count against a limit.
struct SpentTries {
  std::array<std::uint16_t, kMostLegs> retries{};
  std::array<std::uint16_t, kMostLegs> restarts{};
  std::array<std::uint16_t, kMostLegs> fault_restarts{};
  std::array<std::uint16_t, kMostLegs> exit_restarts{};
  std::uint16_t by_pipeline = 0;  // since its user submitted it
};

/// The strategy that a job follows.
struct JobRoute {
  const Strategy* strategy = nullptr;
  std::uint32_t number = 0;     // of it among the run's
  std::uint32_t usable = 0;     // where its usable candidates begin
  std::uint64_t leg_order = 0;  // strategies that look at prices: four bits a leg, the first lowest
};

/// Where a job asks, or goes on to ask.
struct JobAsking {
  std::uint32_t stay = 0;     // counts entries into legs; a timer of an earlier stay is void
  std::uint32_t attempt = 0;  // counts from 1
  std::uint8_t leg = 0;
  Stage stage = Stage::moving;
  std::uint16_t place = 0;  // at-once leg: the place it asks
  RequestSlot first_request = kNoRequest;
  SimTime entered{};  // when it entered the leg
};

/// The orchestrators that a job concerns.
struct JobOrchestrators {
  std::uint8_t concerned = 0;     // a bit for each
  std::uint8_t next = 0;          // that is asked next, or whose word it waits for
  bool is_released = false;       // submitted, and let begin by them
  bool are_asked_anew = false;    // about the leg that it is in: none of its requests there was left
  bool is_to_try = false;         // it is about to begin an attempt
  bool is_suspended = false;      // its leases end so, and not by its restart rule
  bool let_it_fail = false;       // one of them did: when its leases have ended, if it has any
  std::uint16_t closed_legs = 0;  // that they have closed to the job: a bit for each

  [[nodiscard]] bool any() const { return concerned != 0; }
  [[nodiscard]] bool has(std::size_t number) const { return (concerned >> number & 1U) != 0; }
  void add(std::size_t number) { concerned = static_cast<std::uint8_t>(concerned | 1U << number); }
};

/// The past of a job, for the record.
struct JobHistory {
  SimTime released{};
  SimTime first_grant = kNever;
  SimTime first_running = kNever;
  SimDuration leased{};
  SimTime leased_since{};  // while it has leases: since when without a break
  SimDuration lost{};
  std::uint32_t preemptions = 0;
  std::uint32_t exits = 0;  // of its workers

  [[nodiscard]] bool ever_granted() const { return first_grant != kNever; }
  /// It has worked, from `since` on.
  void note_running(SimTime since) {
    if (first_running == kNever) first_running = since;
  }
};

/// Timers of a job.
struct JobTimers {
  EventHandle expiry{};        // of the job's own maximum wait
  EventHandle next_attempt{};  // the attempt that is due later
  EventHandle tick{};          // deadline rule: the next decision
};

/// Deadline rule: legs that refused a job at one instant.
struct BarredLegs {
  SimTime at = kNever;
  std::uint8_t legs = 0;  // a bit for each

  [[nodiscard]] bool has(std::size_t leg, SimTime now) const { return at == now && (legs & 1U << leg) != 0; }
  void add(std::size_t leg, SimTime now) {
    legs = static_cast<std::uint8_t>((at == now ? legs : 0U) | 1U << leg);
    at = now;
  }
};

/// A job between its submission and its final state.
struct JobState {
  Job job{};
  JobRoute route{};
  std::uint64_t record = kNotRecorded;
  std::uint32_t generation = 0;  // tells it from former jobs of its slot, whose timers are void; 0: gone
  LeaseSlot lease = kNoLease;    // the latest; several in a race
  TriesSlot tries = kNoTries;    // its SpentTries, from the first on
  JobOrchestrators orchestrators{};
  JobAsking asks{};
  SimDuration work_left{};
  BarredLegs barred{};
  JobHistory history{};
  JobTimers timers{};

  /// Whether it may use that leg of its strategy.
  [[nodiscard]] bool may_use(std::size_t leg) const {
    return (orchestrators.closed_legs >> leg & 1U) == 0 && route.strategy->legs[leg].open_to(job.job_class);
  }
  [[nodiscard]] bool waits_for_orchestrator() const {
    return !orchestrators.is_released || asks.stage == Stage::in_line;
  }
};

}  // namespace stockout
