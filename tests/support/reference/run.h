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
// run.cpp (instants, rounds), jobs.cpp (legs and attempts), pools.cpp (requests and room), leases.cpp (the
// life of a lease), results.cpp.
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
  Due patience;  // of the leg it is in
  Due own_wait;  // its own maximum wait
};

struct Request {
  std::size_t job = kNone;        // kNone: made by a held pool ...
  std::size_t held_pool = kNone;  // ... that is to be created
  std::size_t leg = 0;
  std::size_t pool = 0;
  LeaseClass lease_class = LeaseClass::reserved;
  bool queues = false;
  Candidate candidate;
  SimTime entered{};
  bool open = true;
};

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
  bool own_end_completes = false;
  bool leaving = false;
  bool cut_by_notice = false;  // it is to end with its notice, before its own end
  Due end = {};
  Due life = {};  // the first of its machines is taken
  bool open = true;
};

/// Capacity of one source now.
struct SourceState {
  std::vector<CapacityStep> steps;  // of this replication
  std::int64_t gpus = 0;
  std::size_t next_step = 0;
};

struct PoolState {
  bool exists = true;        // a held pool: not before it is granted
  SimTime created = kNever;  // a held pool
  Due creation;              // a held pool: when it is to be asked for (again)
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
  void lifetimes();
  void timers();
  bool end_a_wait(Due JobState::*wait);
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
  [[nodiscard]] bool has_open_request(std::size_t job) const;
  [[nodiscard]] const Leg& leg_of(const JobState& job, std::size_t leg) const {
    return job.strategy->legs[leg];
  }

  // pools.cpp
  void make_request(std::size_t job, const Candidate& candidate);
  void request_held_pool(std::size_t pool);
  void withdraw_all(std::size_t job, std::size_t except_request);
  void touch(std::size_t pool);
  void dispatch_zone_pool(std::size_t pool);
  void dispatch_queue(std::size_t pool);
  void note_overtaking(std::size_t pool, std::size_t request);
  void serve_at_once(std::size_t pool, LeaseClass lease_class);
  void serve_held_creations(std::size_t pool);
  [[nodiscard]] std::vector<std::size_t> waiting_in_order(std::size_t pool) const;
  [[nodiscard]] bool fits(const Request& request) const;
  void grant(std::size_t request);
  [[nodiscard]] std::size_t source_of(std::size_t pool, LeaseClass lease_class) const;  // kNone: unlimited
  [[nodiscard]] bool draws_on(const Lease& lease, std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::int64_t staying(std::size_t pool, std::size_t source, bool with_spot) const;
  [[nodiscard]] std::int64_t overhang(std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::vector<std::size_t> victims_in_order(std::size_t pool, std::size_t source,
                                                          LeaseClass lease_class);
  void take_back(std::size_t pool, std::size_t source, std::vector<LeaseClass> weakest_first);
  void capacity_step(std::size_t pool, std::size_t source);
  void create_held_pool(std::size_t pool);

  // leases.cpp
  void begin_lease(std::size_t lease);
  void start_delayed(std::size_t pool, std::size_t source);
  void set_leaving(std::size_t lease);
  void draw_lifetime(Lease& lease);
  [[nodiscard]] bool last_checkpoint_fits(const Lease& lease);
  [[nodiscard]] Progress progress_until(const Lease& lease, SimTime at) const;
  [[nodiscard]] std::int64_t loss_now(const Lease& lease);
  void end_lease(std::size_t lease);
  void interrupt(Lease& lease);

  // results.cpp
  void book(const Lease& lease, SimTime ended, SimDuration useful, SimDuration redone);
  void log(const Lease& lease, SimTime ended, SimDuration lost, bool preempted);
  void add_usage(UsageKey key, std::int64_t machines, SimTime from, SimTime to);
  void close_open_leases();
  void book_held_pools();
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
  SimTime end_{};
  std::int64_t round_ = 0;
  std::int64_t orders_ = 0;
  Phase phase_ = Phase::releases;
  ReferenceResult result_;
};

}  // namespace stockout::reference
