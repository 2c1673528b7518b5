#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/world/world.h"
#include "tests/support/reference/demand.h"
#include "tests/support/reference/reference.h"
#include "tests/support/reference/work.h"

// The state of a run of the second implementation: lists of everything that there ever was. Nothing is
// removed from a list, nothing is indexed; whoever wants to know something walks through a list. Files:
// run.cpp (instants, rounds), jobs.cpp (legs and attempts), deadline.cpp (jobs that follow a deadline rule),
// pools.cpp (requests and room), reclaim.cpp (capacity and who yields), held.cpp (held pools and bookings),
// elastic.cpp, leases.cpp (the life of a lease), faults.cpp, results.cpp.
namespace stockout::reference {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

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
  std::size_t place = 0;
  std::int64_t attempt = 0;
  std::vector<std::int64_t> retries;   // used, by leg
  std::vector<std::int64_t> restarts;  // used, by leg
  SimDuration work_left{};
  SimDuration leased{};
  SimDuration lost{};
  std::int64_t preemptions = 0;
  Due step_due;
  Step step = Step::release;
  std::size_t step_leg = 0;
  Due patience;                          // of the leg it is in
  Due own_wait;                          // its own maximum wait
  bool queues = false;                   // it waits in the queueing leg `leg`
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
  SimTime closed = kNever;
};

/// How a lease of a job ends.
enum class Ending : std::uint8_t { completes, is_cut_off, window_over, taken_back, given_up };

struct Lease {
  std::size_t job = kNone;
  std::size_t held_pool = kNone;
  std::size_t leg = 0;
  std::int64_t attempt = 0;
  std::size_t pool = 0;
  LeaseClass lease_class = LeaseClass::reserved;
  Candidate candidate;
  SimDuration notice{};
  SimTime granted{};
  bool delayed = false;    // its machines are not there yet
  SimTime up = kNever;     // machines are up: billing begins
  SimTime works = kNever;  // work begins
  SimTime stops = kNever;  // work stops: a last checkpoint is written from here on
  bool saves_all = false;  // that checkpoint will be complete when the lease ends
  SimTime own_end = kNever;
  Ending ending = Ending::completes;
  bool leaving = false;
  Due end = {};
  Due life = {};   // the first of its machines is taken
  Due fault = {};  // a machine breaks:
  SimDuration fault_notice{};
  SimDuration repair{};
  std::int64_t broken_gpus = 0;
  bool broke = false;
  std::uint64_t machine = 0;  // of an elastic pool: which of all that were ever granted
  Due comes = {};             // of an elastic pool: when the machine is to be there
  SimTime came = kNever;
  SimTime ended = kNever;
  bool open = true;
};

/// Capacity of one source now, as the steps say.
struct SourceState {
  std::vector<CapacityStep> steps;  // of this replication
  std::int64_t gpus = 0;
  std::size_t next_step = 0;
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
  std::vector<Broken> broken;
  std::vector<SourceState> sources;
  bool touched = false;                // to be dispatched in this round's phase 5, or the next
  std::vector<SimTime> touched_later;  // starts_first: it is to be dispatched at each of these instants
};

enum class Phase : std::uint8_t { releases, capacity, timers, arrivals, dispatch };

class Run {
 public:
  Run(const World& world, std::size_t strategy, std::uint64_t replication);
  ReferenceResult simulate();

 private:
  // run.cpp: time
  [[nodiscard]] SimTime next_instant() const;
  void hold_from_begin();
  void run_instant();
  [[nodiscard]] bool anything_due() const;
  void run_round();
  void releases();
  void capacity_changes();
  [[nodiscard]] SimTime next_of_jobs() const;
  [[nodiscard]] SimTime next_of_leases() const;
  [[nodiscard]] SimTime next_of_pools() const;
  void timers();
  bool end_a_wait(Due JobState::*wait);
  bool end_a_kept_request();
  void arrivals();
  void dispatch();
  [[nodiscard]] bool is_due(const Due& due) const { return due.at == now_ && due.round <= round_; }
  [[nodiscard]] Due from_now(SimDuration after);
  [[nodiscard]] Due at_soonest();
  [[nodiscard]] SimTime latest_end() const;
  [[nodiscard]] std::vector<CapacityStep> steps_of(const CapacitySource& source) const;
  [[nodiscard]] bool all_recorded_final() const;

  // jobs.cpp
  void arrive(std::size_t job);
  void release(std::size_t job);
  void do_step(std::size_t job);
  void set_step(std::size_t job, Step step, Due due, std::size_t leg = 0);
  void enter_leg(std::size_t job, std::size_t leg);
  void ask_place(std::size_t job);
  void patience_ends(std::size_t job);
  void kept_request_ends(std::size_t request);
  void own_wait_ends(std::size_t job);
  void refused_at_place(std::size_t job);
  void exhausted(std::size_t job, FinalState outcome);
  void start_after_leg(std::size_t job, std::size_t leg, FinalState outcome);
  void would_be_final(std::size_t job, FinalState state);
  void make_final(std::size_t job, FinalState state);
  void release_held_of_group(const Job& of);
  [[nodiscard]] std::int64_t released_in_group(const Job& of) const;
  [[nodiscard]] std::size_t first_leg(const JobState& job, std::size_t from) const;  // kNone: none is open
  [[nodiscard]] std::vector<Candidate> possible(const JobState& job, std::size_t leg) const;
  [[nodiscard]] bool any_leg_possible(const JobState& job) const;
  [[nodiscard]] bool has_open_request(std::size_t job, std::size_t leg = kNone) const;  // kNone: in any leg
  [[nodiscard]] const Leg& leg_of(const JobState& job, std::size_t leg) const {
    return job.strategy->legs[leg];
  }

  // deadline.cpp
  [[nodiscard]] bool follows_rule(const JobState& job) const {
    return job.strategy->deadline_rule.has_value();
  }
  void release_by_rule(std::size_t job);
  void set_next_tick(std::size_t job);
  void decide(std::size_t job);
  [[nodiscard]] std::size_t wanted_leg(std::size_t job, std::size_t state) const;
  [[nodiscard]] bool leg_is_open(const JobState& job, std::size_t leg) const;
  [[nodiscard]] bool has_room_now(std::size_t job, std::size_t leg) const;
  [[nodiscard]] std::size_t lease_of(std::size_t job) const;  // the open one, or kNone
  void give_up(std::size_t lease);

  // pools.cpp
  void close(Request& request, Fate fate) const;
  [[nodiscard]] Request request_for(std::size_t job, std::size_t leg, const Candidate& candidate) const;
  void make_request(std::size_t job, const Candidate& candidate);
  void withdraw_all(std::size_t job, std::size_t except_request);
  void touch(std::size_t pool);
  void dispatch_zone_pool(std::size_t pool);
  void dispatch_queue(std::size_t pool);
  void note_overtaking(std::size_t pool, std::size_t request);
  void serve_at_once(std::size_t pool, LeaseClass lease_class);
  [[nodiscard]] std::vector<std::size_t> waiting_in_order(std::size_t pool) const;
  [[nodiscard]] bool fits(const Request& request) const;
  void grant(std::size_t request);
  [[nodiscard]] std::int64_t room_in_held(std::size_t pool) const;
  [[nodiscard]] std::int64_t gathered_for(std::size_t pool, std::size_t source) const;

  // reclaim.cpp
  [[nodiscard]] std::size_t source_of(std::size_t pool, LeaseClass lease_class) const;  // kNone: unlimited
  [[nodiscard]] bool draws_on(const Lease& lease, std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::int64_t capacity_of(std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::int64_t staying(std::size_t pool, std::size_t source, bool with_spot) const;
  [[nodiscard]] std::int64_t overhang(std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::vector<std::size_t> victims_in_order(std::size_t pool, std::size_t source,
                                                          LeaseClass lease_class);
  void take_back(std::size_t pool, std::size_t source, std::vector<LeaseClass> weakest_first);
  void capacity_step(std::size_t pool, std::size_t source);
  void capacity_changed(std::size_t pool, std::size_t source, std::int64_t before);

  // held.cpp
  void set_timetable(std::size_t pool);
  void due_for_held_pool(std::size_t pool);
  void ask_or_open(std::size_t pool);
  void request_held_pool(std::size_t pool, bool gathers);
  void create_held_pool(std::size_t pool);
  void machines_there(std::size_t pool);
  void serve_gathering(std::size_t landlord);
  void serve_held_creations(std::size_t landlord);
  void decide_booking(std::size_t pool);
  [[nodiscard]] bool promise_fits(std::size_t pool) const;
  [[nodiscard]] std::int64_t promised_to_others(std::size_t pool, SimTime at) const;
  void window_ends(std::size_t pool);
  void empty_queue(std::size_t pool);
  void end_held_lease(std::size_t lease);
  [[nodiscard]] bool is_over(std::size_t pool) const;
  [[nodiscard]] const HeldPool& held_pool(std::size_t pool) const {
    return world_.held_pool(PoolId{static_cast<std::uint16_t>(pool)});
  }
  [[nodiscard]] bool is_held(std::size_t pool) const {
    return world_.is_held(PoolId{static_cast<std::uint16_t>(pool)});
  }

  // elastic.cpp
  void resize(std::size_t pool);
  void note_idle_machines(std::size_t pool);
  void give_back_idle_machines(std::size_t pool);
  void serve_elastic(std::size_t pool);
  [[nodiscard]] std::int64_t machines_wanted(std::size_t pool) const;
  [[nodiscard]] std::int64_t machines_leased(std::size_t pool) const;
  [[nodiscard]] std::int64_t machines_present(std::size_t pool) const;
  [[nodiscard]] std::int64_t gpus_waiting(std::size_t pool) const;
  [[nodiscard]] std::int64_t machine_gpus(std::size_t pool) const;
  void machine_is_granted(std::size_t lease);
  void machines_come(std::size_t pool);

  // leases.cpp
  void begin_lease(std::size_t lease);
  void start_delayed(std::size_t pool, std::size_t source);
  void set_own_end(Lease& lease);
  void set_leaving(std::size_t lease);
  [[nodiscard]] bool last_checkpoint_fits(const Lease& lease);
  [[nodiscard]] Progress progress_until(const Lease& lease, SimTime at) const;
  [[nodiscard]] std::int64_t loss_now(const Lease& lease);
  void end_lease(std::size_t lease);
  void after_interruption(const Lease& lease, bool saved_something);
  void after_preemption(const Lease& lease);
  void interrupt(Lease& lease);
  void attempt_again(std::size_t job);

  // faults.cpp
  void draw_lifetime(Lease& lease);
  void draw_fault(Lease& lease);
  [[nodiscard]] SimDuration health_test(const Lease& lease) const;
  void lifetimes_and_faults();
  void lifetime_ends(std::size_t lease);
  void machine_breaks(std::size_t lease);
  void repairs();
  [[nodiscard]] std::int64_t broken_in(std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::int64_t gpus_of_machine(const Lease& lease, const Part& part) const;

  // results.cpp
  void book(const Lease& lease, SimTime ended, SimDuration useful, SimDuration redone);
  void log(const Lease& lease, SimTime ended, SimDuration lost, bool preempted);
  void add_usage(UsageKey key, std::int64_t machines, SimTime from, SimTime to);
  void close_open_leases();
  void add_capacity_until(SimTime at);
  void count_totals();
  void book_held_pools();
  void book_elastic_pool(std::size_t pool);
  [[nodiscard]] std::int64_t area_on(std::size_t pool, SimTime from, SimTime to) const;
  [[nodiscard]] ReferenceResult result();
  void note(const std::string& what) { ++result_.happened[what]; }

  const World& world_;
  std::size_t strategy_ = 0;
  Dice dice_;
  std::vector<JobState> jobs_;  // in order of arrival
  std::vector<Request> requests_;
  std::vector<Lease> leases_;
  std::vector<PoolState> pools_;
  SimTime now_{};
  SimTime last_instant_{};
  SimTime capacity_until_ = kStart;  // so far capacity is in the totals
  SimTime end_{};
  std::int64_t round_ = 0;
  std::int64_t orders_ = 0;
  Phase phase_ = Phase::releases;
  ReferenceResult result_;
};

}  // namespace stockout::reference
