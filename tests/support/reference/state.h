#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue/workload.h"
#include "models/orchestrators/slurm/job.h"
#include "models/record/run_record.h"
#include "models/world/world.h"

// The state of a run of the second implementation: lists of everything that there ever was. Nothing is
// removed from a list, nothing is indexed; whoever wants to know something walks through a list.
namespace stockout::reference {

/// The id of a pool from its number.
inline PoolId pool_id(std::size_t pool) { return PoolId{static_cast<std::uint16_t>(pool)}; }

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);
inline constexpr std::int64_t kNoLimit = std::int64_t{1} << 40;  // GPUs

/// Free GPUs of each host, and the host of each machine.
using FreeGpus = std::vector<std::int64_t>;
using Hosts = std::vector<std::size_t>;

/// Something that is to happen at `at`, not before round number `round` (rounds are counted over the whole
/// run), among equals in order of `order`. `at` == kNever: it is not to happen.
struct Due {
  SimTime at = kNever;
  std::int64_t round = 0;
  std::int64_t order = 0;
};

/// A job's next step, in phase 3.
struct Step {
  Due due;
  std::function<void()> play;
};

enum class Stage : std::uint8_t { to_come, held_by_pipeline, let_go_by_pipeline, held_by_group, open, final };

struct JobState {
  Job job;
  bool recorded = false;
  const Strategy* strategy = nullptr;
  const JobClass* job_class = nullptr;
  Stage stage = Stage::to_come;
  FinalState state = FinalState::unfinished;
  SimTime released_at{};
  SimTime finished{};
  std::size_t leg = 0;
  std::vector<std::size_t> legs;  // open to its class, in the order of this attempt
  std::vector<Candidate> places;  // of the at-once leg it is in, in the order of asking
  std::size_t place = 0;          // of them
  std::int64_t attempt = 0;
  std::vector<std::int64_t> retries;         // used, by leg
  std::vector<std::int64_t> restarts;        // used, by leg
  std::vector<std::int64_t> fault_restarts;  // the same, where those have a bound of their own
  std::vector<std::int64_t> exit_restarts;   // the same, after workers exited
  std::uint32_t exits = 0;                   // of its workers
  std::int64_t tried_again = 0;              // by its pipeline, since it was submitted
  SimDuration work_left{};
  Step step;
  Due patience;                              // of the leg it is in
  Due own_wait;                              // its own maximum wait
  Due tick;                                  // of its deadline rule
  std::int64_t came_to_group = 0;            // in which order
  bool queues = false;                       // it waits in the queueing leg `leg` ...
  std::optional<std::int64_t> turn_in_line;  // ... without a request, for the leg's admission limit
  // Quotas: when it came to its leg; it stands in line, or asks again at `quota_try`, the next pause being
  // this; since when it has none.
  std::int64_t came_to_leg = 0;
  bool stands_for_quota = false;
  Due quota_try;
  SimDuration quota_pause{};
  SimTime quota_since = kNever;
  QuotaOutcome quota;
  // Kueue: its workload there, and since when it waits for it.
  bool came_to_kueue = false;
  std::optional<kueue::WorkloadId> workload;
  std::size_t pod_set = 0;  // of it
  ShapeId asked{};          // for which it came; it may be admitted with fewer nodes
  bool has_gone_on = false;
  bool is_held = false;                  // with quota: capacity for others of its set is to come
  bool is_stopping = false;              // its workload is: who has gone on will be pending again
  bool is_told = false;                  // to do so, or does so by itself
  bool is_retried = false;               // its workload's eviction is counted: its check is tried again
  bool is_done = false;                  // completed, so that its quota is free
  bool has_pods = false;                 // that are ready
  std::vector<std::size_t> flavor_legs;  // open to it by its flavor; none: all
  Due pods_ready;
  SimTime kueue_since = kNever;
  std::vector<SimTime> gave_back;  // R17.16: its quota
  Due pods_gone;                   // R17.16
  KueueOutcome kueue;
  SlurmEnd slurm_end = SlurmEnd::none;
  WaitTimes pending_for;
  WaitTimes pending_again;
  // Slurm: its number there, since when it waits for it, and when its nodes will be up.
  std::optional<slurm::JobId> slurm_id;
  SimTime slurm_since = kNever;
  Due nodes_up;
  bool had_lease_of_slurm = false;  // since it went on
  bool stands_for_set = false;      // its set was given back, and asks again later
  bool is_failing = false;          // as its set
  bool was_granted = false;
  /// It begins anew once its leases have ended, whatever its restart rule says.
  [[nodiscard]] bool is_suspended() const { return is_told || (slurm_id && is_stopping); }
  bool races = false;                    // several leases of this attempt may come; the first at work wins
  bool past_last = false;                // it waits for kept requests after its last leg
  SimTime barred[2] = {kNever, kNever};  // by leg: the instant in which all its places refused
};

/// A set of jobs: those of the row in all sources that have sets with the first.
struct SetState {
  SourceId first{};
  std::uint64_t row = 0;
  bool works = false;
  bool failed = false;
  std::int32_t restarts = 0;
  SimTime restarted = kNever;  // last
  SimTime asks_from{};
};

/// R14.39.
enum class SetAct : std::uint8_t { none, fails, begins_anew, asks, gives_back, begins };

/// Identity of a job in random draws: its source and its row there.
inline std::uint64_t draw_entity(const Job& job) {
  return (static_cast<std::uint64_t>(index(job.source)) << 48) + job.row;
}

/// R14.29: A pool had no machines for a node group, which backs off.
struct GroupFailure {
  std::string row;
  PoolId pool{};
  MachineId machine{};
  SimTime at{};
  SimDuration pause{};
  bool lacked_quota = false;
};

/// Request in a pool, and the machines of a lease when it is granted.
struct Asked {
  JobState* job = nullptr;        // none: a held pool asks ...
  std::size_t held_pool = kNone;  // ... for machines of its own
  std::size_t leg = 0;            // of the job's strategy
  std::size_t pool = 0;
  LeaseClass lease_class = LeaseClass::reserved;
  Candidate candidate{};
};

/// The leg under which a job asks.
inline const Leg& leg_of(const Asked& asked) { return asked.job->strategy->legs[asked.leg]; }

/// Requests of the leg wait in the pool's queue.
inline bool has_queue(const Leg& leg) { return leg.policy.held || leg.policy.admission == Admission::queue; }

/// R10.1, R10.4: the candidate is one of a leg that takes fewer machines than it asks for.
inline bool is_partial(const Leg& leg, const Candidate& candidate) {
  return leg.partial && candidate.least > 0;
}
inline bool is_partial(const Asked& asked) {
  return asked.job != nullptr && is_partial(leg_of(asked), asked.candidate);
}

/// R10.32: Its machines may stand in several places of the leg.
inline bool may_spread(const Leg& leg, const Candidate& candidate) {
  return leg.spread != Spread::any_single_zone && candidate.parts[1].machines == 0 &&
         candidate.parts[0].machines > 1;
}
inline bool may_spread(const Asked& asked) {
  return asked.job != nullptr && may_spread(leg_of(asked), asked.candidate);
}

inline bool has_too_many_machines(const Leg& leg, const Candidate& candidate) {
  return leg.policy.machines_max != 0 && candidate.machines() > leg.policy.machines_max;
}

enum class Fate : std::uint8_t {
  open,
  granted,
  refused,
  found_no_hosts,  // refused, though there was room
  withdrawn,
  lost,  // withdrawn, because another of its job was granted or won
};

struct Request : Asked {
  SimTime entered{};
  Due life{};  // of a leg that keeps: the model's own maximum wait
  Fate fate = Fate::open;
  SimTime closed = kNever;

  void close(Fate how, SimTime at) {
    fate = how;
    closed = at;
  }
  [[nodiscard]] bool open() const { return fate == Fate::open; }
  [[nodiscard]] bool queues() const { return job != nullptr && has_queue(leg_of(*this)); }
};

/// How a lease of a job ends.
enum class Ending : std::uint8_t {
  completes,
  cut_off,
  window_over,
  preempted,
  given_up,
  lost_race,
  too_few,
  expired,  // its pods did not come in time
  exits,    // a worker exited, and the job may restart
  fails,    // a worker exited for good
};

/// Machines that are granted together: all of a lease, but for a partial one.
struct Batch {
  SimTime granted{};
  std::optional<std::int64_t> delayed = {};  // its room is not there yet: its turn among those
  SimTime up = kNever;
};

struct Machine {
  std::size_t batch = 0;
  Part part;
  std::size_t host = kNone;         // in a pool with hosts
  bool leaving = false;             // before the others
  bool broke = false;               // that is why
  bool waits = false;               // until it joins those at work
  SimTime gone = kNever;            // before the others
  std::optional<Draw> worker = {};  // of all exits of its worker
  std::int64_t worker_restarts = 0;
};

/// The end of a machine's lifetime, or a fault of it.
struct Failure {
  std::size_t machine = 0;
  const FaultRule* rule = nullptr;  // none: its lifetime is over
  SimDuration repair{};
  Due due = {};
};

struct Lease : Asked {
  std::int64_t attempt = 0;
  std::uint64_t draws = 0;  // what stands for the attempt in its draws
  SimDuration notice{};
  SimTime granted{};
  std::vector<Machine> machines;
  std::vector<Batch> batches;
  std::vector<Failure> failures;
  std::int64_t gang = -1;             // of a gang that is spread: its number
  std::uint64_t machines_before = 0;  // on earlier leases of that gang
  bool is_led = false;                // another lease of it was first: what is the gang's is done once
  bool goes_along = false;            // another lease of it was reclaimed
  bool gathers = false;               // a partial one: it asks for more machines
  SimTime gathers_since = kNever;     // a partial one: its grant, or when it began to gather anew
  std::size_t tested = 0;             // machines that have had their health test
  SimTime completed = kNever;         // it has got all that will come
  SimTime up = kNever;                // all machines are up
  SimTime ready = kNever;             // of a member of a set: its work could begin
  bool is_suspended = false;          // of the same: it will not
  SimTime works = kNever;             // work begins
  SimTime stops = kNever;             // work stops: a last checkpoint is written from here on
  bool saves_all = false;             // that checkpoint will be complete when the lease ends
  SimTime own_end = kNever;
  Ending ending = Ending::completes;
  bool leaving = false;
  bool broke = false;    // that is why
  bool expired = false;  // its machines were given back: its pods, or those of its set, did not come in time
  Due end;
  Due first_work;                              // in a race: the work begins, and the race is won
  Due loss;                                    // machines that are leaving go
  Due joins;                                   // machines that wait join those at work
  Due exit;                                    // the first worker exits, of all leases of the gang ...
  std::pair<Lease*, std::size_t> first_out{};  // ... on that machine
  bool loss_saves = false;                     // a last checkpoint will be complete then
  Due comes;                                   // of an elastic pool: when the machine is to be there
  SimTime came = kNever;
  SimTime ended = kNever;
  SimTime first_ran = kNever;  // work first began, and something was done
  SimDuration lost{};          // work
  std::int64_t useful = 0;     // GPU-time
  std::int64_t redone = 0;

  [[nodiscard]] bool open() const { return ended == kNever; }
  [[nodiscard]] bool stays() const { return open() && !leaving; }
};

/// GPUs of the lease's machines for which `which` holds.
template <typename Which>
std::int64_t gpus_where(const Lease& lease, Which which) {
  std::int64_t gpus = 0;
  for (const Machine& machine : lease.machines) gpus += which(machine) ? machine.part.gpus : 0;
  return gpus;
}

/// R10.45: Machines of the lease that are there and do not wait for others.
inline std::int64_t machines_at_work(const Lease& lease) {
  const auto works = [](const Machine& machine) { return machine.gone == kNever && !machine.waits; };
  return std::ranges::count_if(lease.machines, works);
}

/// GPUs of a machine that is broken: until it is repaired they are gone from the capacity of the source, or
/// of a held pool.
struct Broken {
  std::size_t source = kNone;
  std::int64_t gpus = 0;
  Due repaired;
};

/// Price of an hour, and the work done in it.
struct PriceForWork {
  std::int64_t an_hour = 0;
  std::int64_t rate = 0;
};

/// Capacity of one source: what the last step that was played says.
struct SourceState {
  std::vector<CapacityStep> steps;  // of this replication
  std::size_t next_step = 0;
  std::int64_t order = 0;      // in which the next steps were set
  bool was_over_full = false;  // and has granted nothing since
};

/// Event due for a held pool, in this order if at one instant.
enum class Moment : std::uint8_t {
  until,
  decision,   // of a booking
  gathering,  // of a booking: it begins
  opening,    // or asking
  ask_again,  // an elastic pool
  look_again  // an elastic pool: a machine may have been idle long enough
};

/// A machine of a held pool that no lease has: it breaks at `fault`.
struct IdleMachine {
  const FaultRule* rule = nullptr;
  SimDuration repair{};
  Due fault;
};

struct PoolState {
  std::map<Moment, Due> due;               // of a held pool
  SimTime created = kNever;                // a held pool
  std::optional<bool> decided;             // a booking: whether it is accepted
  bool asks = false;                       // an elastic pool, in its parent's next dispatch
  std::vector<Due> least_steps;            // an elastic pool: when its minimum changes
  std::vector<SimTime> idle_since;         // an elastic pool: by free machine, the oldest first
  std::vector<IdleMachine> idle_machines;  // of a held pool that breaks, the longest idle first
  std::uint64_t idle_ever = 0;             // machines that have been on that list
  std::vector<Lease*> want_batches;        // partial leases that ask in the next dispatch
  std::vector<SourceState> sources;
  std::vector<Broken> broken;
  bool touched = false;                // to be dispatched in this round's phase 5, or the next
  std::vector<SimTime> touched_later;  // starts_first: it is to be dispatched at each of these instants
};

/// Kind of event to come, played in the order in which it was set.
enum class Kind : std::uint8_t { release, repair, failure, patience, kept_request, own_wait };
inline constexpr Kind kKinds[] = {Kind::release,  Kind::repair,       Kind::failure,
                                  Kind::patience, Kind::kept_request, Kind::own_wait};

enum class Phase : std::uint8_t { releases, capacity, timers, arrivals, dispatch };

}  // namespace stockout::reference
