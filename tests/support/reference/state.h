#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/record/run_record.h"
#include "models/world/world.h"

// The state of a run of the second implementation: lists of everything that there ever was. Nothing is
// removed from a list, nothing is indexed; whoever wants to know something walks through a list.
namespace stockout::reference {

/// The id of a pool from its number.
inline PoolId pool_id(std::size_t pool) { return PoolId{static_cast<std::uint16_t>(pool)}; }

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);
inline constexpr std::int64_t kNoLimit = std::int64_t{1} << 40;  // GPUs

/// Something that is to happen at `at`, not before round number `round` (rounds are counted over the whole
/// run), among equals in order of `order`. `at` == kNever: it is not to happen.
struct Due {
  SimTime at = kNever;
  std::int64_t round = 0;
  std::int64_t order = 0;
};

/// What a job does next, in phase 3.
enum class Step : std::uint8_t {
  release,    // its group lets it go
  attempt,    // a new attempt from the first leg
  resubmit,   // the user submits it again
  pass_on,    // the same attempt enters leg `step_leg`
  start_at,   // a new attempt that starts at leg `step_leg`
  ask_place,  // the at-once leg asks its place number `place`
  take_lot,   // its lease, that has too few machines, asks for the others
  gathered,   // its lease asks no more
  decide,     // its deadline rule decides
};

struct JobState {
  Job job;
  bool recorded = false;
  const Strategy* strategy = nullptr;
  bool arrived = false;
  bool released = false;  // or about to be, in this instant
  bool final = false;
  FinalState state = FinalState::unfinished;
  SimTime released_at{};
  SimTime first_grant = kNever;
  SimTime first_running = kNever;
  SimTime finished{};
  std::size_t leg = 0;
  std::vector<std::size_t> legs;  // open to its class, in the order of this attempt
  std::vector<Candidate> places;  // of the at-once leg it is in, in the order of asking
  std::size_t place = 0;          // of them
  std::int64_t attempt = 0;
  std::vector<std::int64_t> retries;   // used, by leg
  std::vector<std::int64_t> restarts;  // used, by leg
  SimDuration work_left{};
  SimDuration lost{};
  std::int64_t preemptions = 0;
  Due step_due;
  Step step = Step::release;
  std::size_t step_leg = 0;
  Due patience;                          // of the leg it is in
  Due own_wait;                          // its own maximum wait
  bool queues = false;                   // it waits in the queueing leg `leg` ...
  std::size_t turn_at_gate = kNone;      // ... without a request, in line before the leg's gate
  bool races = false;                    // several leases of this attempt may come; the first at work wins
  bool past_last = false;                // it waits for kept requests after its last leg
  Due tick;                              // of its deadline rule
  SimTime barred[2] = {kNever, kNever};  // by leg: the instant in which all its places refused
};

enum class Fate : std::uint8_t { open, granted, refused, withdrawn };

struct Request {
  std::size_t job = kNone;        // kNone: made by a held pool ...
  std::size_t held_pool = kNone;  // ... that is to be created
  std::size_t leg = 0;
  std::size_t pool = 0;
  LeaseClass lease_class = LeaseClass::reserved;
  bool queues = false;
  bool gathers = false;  // by a booking: it waits for its machines, and takes room from all others
  Candidate candidate;
  SimTime entered{};
  Due life = {};  // of a leg that keeps: the model's own maximum wait
  bool open = true;
  Fate fate = Fate::open;
  bool lost_to_sibling = false;  // withdrawn because another of its job was granted, or won
  bool misfit = false;           // refused for want of hosts, not of room
  SimTime closed = kNever;
};

/// How a lease of a job ends.
enum class Ending : std::uint8_t {
  completes,
  is_cut_off,
  window_over,
  taken_back,
  given_up,
  lost_race,
  too_few
};

/// A machine on a host.
struct Standing {
  std::size_t host = 0;
  std::int64_t gpus = 0;
};

/// One machine of a partial lease.
struct Machine {
  std::size_t lot = 0;
  SimTime granted{};
  SimTime up = kNever;
  Due life = {};
  Due fault = {};
  SimDuration fault_notice{};
  SimDuration repair{};
  bool leaving = false;   // before the others
  bool broke = false;     // that is why
  SimTime gone = kNever;  // before the others
};

/// Machines of a partial lease that were granted together.
struct Lot {
  bool delayed = false;
  std::int64_t joined = 0;  // the list of delayed ones: when, in order
};

struct Lease {
  std::size_t job = kNone;
  std::size_t held_pool = kNone;
  std::size_t leg = 0;
  std::int64_t attempt = 0;
  std::uint64_t draws = 0;  // what stands for the attempt in its draws
  std::size_t pool = 0;
  LeaseClass lease_class = LeaseClass::reserved;
  Candidate candidate;
  std::vector<Standing> hosts = {};  // of a pool with hosts
  std::int64_t rate = 0;             // of its work, in millionths of the reference's speed
  SimDuration notice{};
  SimTime granted{};
  bool delayed = false;     // its machines are not there yet
  std::int64_t joined = 0;  // the list of delayed ones: when, in order
  SimTime up = kNever;      // machines are up: billing begins
  SimTime works = kNever;   // work begins
  SimTime stops = kNever;   // work stops: a last checkpoint is written from here on
  bool saves_all = false;   // that checkpoint will be complete when the lease ends
  SimTime own_end = kNever;
  Ending ending = Ending::completes;
  bool leaving = false;
  Due end = {};
  Due first_work = {};  // in a race: the work begins, and the race is won
  Due life = {};        // the first of its machines is taken
  Due fault = {};       // a machine breaks:
  SimDuration fault_notice{};
  SimDuration repair{};
  std::int64_t broken_gpus = 0;
  bool broke = false;
  std::uint64_t machine = 0;  // of an elastic pool: which of all that were ever granted
  Due comes = {};             // of an elastic pool: when the machine is to be there
  SimTime came = kNever;
  SimTime ended = kNever;
  bool open = true;

  // Of a partial lease; `candidate` says what it has, `rate` how fast that is.
  bool partial = false;
  Candidate asked = {};
  std::vector<Machine> machines = {};
  std::vector<Lot> lots = {};
  bool gathers = false;
  bool complete = false;
  SimTime completed = kNever;
  Due loss = {};                 // machines that are leaving go
  bool loss_saves = false;       // a last checkpoint will be complete then
  SimTime first_works = kNever;  // of the first piece that ran, if any did
  bool ran = false;              // before machines went last
  SimDuration lost{};            // work, when machines went
  std::int64_t useful = 0;       // GPU-time until machines went last
  std::int64_t redone = 0;
};

/// What an hour costs, and what is done in it.
struct PriceForWork {
  std::int64_t an_hour = 0;
  std::int64_t rate = 0;
};

/// A lease, or one machine of a partial one, that its lifetime or a fault is to end.
struct Failing {
  Due* due = nullptr;
  std::size_t lease = 0;
  std::size_t machine = kNone;
  bool breaks = false;
};

/// A lease, or a lot of one, that waits for room that is granted to it.
struct Delayed {
  std::int64_t joined = 0;
  std::size_t lease = 0;
  std::size_t lot = kNone;
  std::int64_t gpus = 0;
};

/// Capacity of one source now, as the steps say.
struct SourceState {
  std::vector<CapacityStep> steps;  // of this replication
  std::int64_t gpus = 0;
  std::size_t next_step = 0;
  bool was_over_full = false;  // and has granted nothing since
};

/// GPUs of a broken machine.
struct Broken {
  std::size_t source = kNone;  // of a zone pool
  std::int64_t gpus = 0;
  Due repaired;
};

/// Whether an elastic pool wants machines of its landlord.
enum class Asking : std::uint8_t { no, at_next_dispatch, again_later };

struct PoolState {
  bool bought = false;         // a held pool: the strategy pays for it
  bool exists = true;          // a held pool: not before it is granted, not after its `until`
  SimTime created = kNever;    // a held pool
  Due creation;                // a held pool: when it is to be asked for (again), or opens
  Due until;                   // a held pool
  Due decision;                // a booking: yes or no
  Due gathering;               // an accepted booking begins to gather
  bool accepted = false;       // a booking
  bool refused = false;        // a booking
  bool machines_wait = false;  // a booking's machines are there before it opens
  Asking asking = Asking::no;  // an elastic pool
  Due ask_again;
  Due look_again;                   // an elastic pool: a machine may have been idle long enough
  std::vector<SimTime> idle_since;  // an elastic pool: by free machine, the oldest first
  std::uint64_t machines_granted = 0;
  std::vector<std::size_t> want_lots;  // partial leases that ask in the next dispatch
  std::vector<Broken> broken;
  std::vector<SourceState> sources;
  bool touched = false;                // to be dispatched in this round's phase 5, or the next
  std::vector<SimTime> touched_later;  // starts_first: it is to be dispatched at each of these instants
};

enum class Phase : std::uint8_t { releases, capacity, timers, arrivals, dispatch };

}  // namespace stockout::reference
