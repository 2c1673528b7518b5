#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "models/simulation/books.h"
#include "models/simulation/simulate.h"
#include "models/world/world.h"
#include "sim/engine/delay_lanes.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/slots.h"
#include "sim/random/draw.h"

namespace stockout {

/// One simulation under way. The main loop is in run.cpp; what a job does between leases in acquisition.cpp;
/// what happens to leases in leases.cpp; grants and refusals in dispatch.cpp; the end and its checks in
/// closing.cpp.
class Run {
 public:
  Run(const World& world, std::size_t strategy, std::uint64_t replication, const Logs& logs);

  RunRecord play();

 private:
  enum class EventKind : std::uint8_t { lease_ends, capacity, create_held, life_over, own_expiry, attempt };
  struct Event {
    EventKind kind;
    std::uint32_t subject;  // slot of a lease or job, or number of a pool
    std::uint32_t detail;   // capacity: which source
  };

  // The phases that take events from the queue, in the order of a round.
  struct Phases {
    std::uint8_t releases;
    std::uint8_t capacity;
    std::uint8_t lifetimes;
    std::uint8_t timers;
  };
  static constexpr Phases kReleasesFirst{.releases = 0, .capacity = 1, .lifetimes = 2, .timers = 3};
  static constexpr Phases kStartsFirst{.releases = 1, .capacity = 2, .lifetimes = 3, .timers = 0};

  // What a job has to do in the next timer phase of this instant.
  enum class Step : std::uint8_t {
    own_wait_over,
    attempt,
    next_leg,
    next_leg_anew,
    next_place,
    patience_over,
    join
  };
  struct Due {
    std::uint32_t job;
    std::uint32_t generation;
    std::uint32_t stay;
    Step step;
  };
  struct TouchedLater {
    SimTime at;
    PoolId pool;
  };
  // Work of a job on a lease that ended before the job was done.
  struct Kept {
    UsageKey key;
    GpuTime time;
  };
  struct Timer {
    std::uint32_t job;
    std::uint32_t generation;
    std::uint32_t stay;
  };
  struct Group {
    std::int32_t open = 0;
    std::deque<std::uint32_t> held;  // jobs, in order of arrival
  };

  // run.cpp: the main loop and the phases of a round.
  [[nodiscard]] SimTime next_instant();
  SimTime play_instant(SimTime at);
  void play_round();
  void do_releases();
  void do_capacity();
  void do_timers();
  void do_arrivals();
  void skip_unwanted_arrivals();
  void do_dispatch();
  void begin_counting();
  void set_capacity(PoolId pool, std::size_t source, std::size_t step);
  void touch(PoolId pool);
  [[nodiscard]] Due due(std::uint32_t slot, Step step) const;
  void plan(std::uint32_t slot, Step step);
  void attempt_at(std::uint32_t slot, SimTime at);
  [[nodiscard]] bool is_live(const Timer& timer) const;

  // acquisition.cpp: a job between leases.
  void submit(const Job& job);
  void join_group_or_release(std::uint32_t slot);
  void release_job(std::uint32_t slot);
  void begin_attempt(std::uint32_t slot, std::size_t leg);
  void enter_leg(std::uint32_t slot, std::size_t leg);
  void ask_place(std::uint32_t slot);
  void join_queues(std::uint32_t slot);
  void open_request(std::uint32_t slot, const Candidate& candidate, bool waiting);
  void close_request(std::uint32_t request);
  void withdraw(std::uint32_t request);
  void withdraw_all(std::uint32_t slot);
  void withdraw_leg(std::uint32_t slot);
  void refused(std::uint32_t slot);
  void exhaust(std::uint32_t slot, Exhaustion why);
  void end_of_legs(std::uint32_t slot, Exhaustion why);
  [[nodiscard]] bool is_possible(const JobState& job) const;
  bool resubmit(std::uint32_t slot);
  void do_step(const Due& due);
  void finish(std::uint32_t slot, FinalState state);
  void settle_kept(std::uint32_t slot, FinalState state);
  void record_outcome(const JobState& job, FinalState state);
  void leave_group(const JobState& job);
  void patience_over(std::uint32_t slot);
  void own_wait_over(std::uint32_t slot);
  [[nodiscard]] SimTime next_office_hour(SimTime at, const Resubmission& rule) const;
  [[nodiscard]] const std::vector<const Candidate*>& usable(const JobState& job, std::size_t leg) const;

  // dispatch.cpp: grants and refusals.
  void dispatch(PoolId id);
  void decide_at_once(PoolId id, LeaseClass lease_class);
  void refuse(std::uint32_t request);
  void serve_queue(PoolId id);
  void create_held(PoolId id);
  [[nodiscard]] static Event held_is_due(PoolId id);
  void grant(std::uint32_t request);
  void settle_grant(const PoolState& pool, LeaseClass lease_class);
  [[nodiscard]] std::uint64_t victim_rank(const PoolState& pool, const Lease& lease);
  void make_room(const PoolState& pool, const SourceState& source, LeaseClass down_to);

  // leases.cpp: from grant to release.
  void start_up(std::uint32_t lease);
  void start_ready(SourceState& source);
  void take_back(std::uint32_t lease);
  void draw_lifetime(std::uint32_t lease);
  [[nodiscard]] std::uint64_t loss_if_taken(const Lease& lease) const;
  [[nodiscard]] bool saves_in_notice(const Lease& lease) const;
  void lease_ends(std::uint32_t lease);
  void preempted(std::uint32_t job);
  void open_held(PoolId id);
  [[nodiscard]] SimDuration draw_length(const Law& law, Purpose purpose, const JobState& job);
  void set_end(std::uint32_t lease, SimTime at);
  void close_lease(std::uint32_t lease, SimDuration kept, SimDuration lost, bool completes);
  void book_usage(const Lease& lease, const JobState& job, const TimeSplit& split);

  // closing.cpp: the end of the run.
  void close_open_leases();
  void close_held_pools();
  void close_open_jobs();
  void check_requests();
  void total_pools();

  void mark(std::uint64_t what, std::uint64_t who, std::uint64_t where);  // the fingerprint

  const World& world_;
  const Logs& logs_;
  const Strategy& strategy_;
  Dice dice_;
  Arrivals arrivals_;
  EventQueue<Event> events_;
  DelayLanes<Timer> patience_;
  Books books_;
  Slots<JobState> jobs_;
  Slots<Request> requests_;
  std::unordered_map<std::uint64_t, Group> groups_;  // by source and group

  // The run's strategies: number 0 is the one under test, then the tenants'. Candidates no pool could ever
  // hold are left out: usable_[strategy][leg][shape].
  std::vector<const Strategy*> strategies_;
  std::vector<std::vector<std::vector<std::vector<const Candidate*>>>> usable_;
  std::vector<std::uint32_t> tenants_of_;  // by source: number of its first strategy

  Phases phases_;
  SimTime now_;
  SimTime stop_;  // the run never goes past it
  std::vector<Due> due_;
  std::vector<Due> due_now_;  // scratch
  std::vector<PoolId> touched_;
  std::vector<PoolId> touched_now_;         // scratch
  std::deque<TouchedLater> touched_later_;  // starts_first: pools to dispatch at a later instant, by time
  bool grants_later_ = false;               // a phase is under way that touches pools for later
  std::vector<std::uint32_t> ending_;       // leases whose end was set for this very instant
  std::vector<std::uint32_t> ending_now_;   // scratch
  std::size_t most_rounds_ = 0;             // without progress, at one instant
  std::size_t rounds_ = 0;
  std::vector<std::uint32_t> held_leases_;  // by held pool: its lease on the landlord, kNoSlot
  std::vector<SimTime> held_since_;         // by held pool: when its machines came, kNever
  SimTime last_start_ = kStart;
  MachineTime rounding_{};  // of the billing rule, added up by leases
  std::uint32_t generations_ = 0;
  std::uint64_t open_recorded_ = 0;
  Area in_system_;                      // open recorded jobs
  std::int64_t time_in_system_ms_ = 0;  // the same, added up by the jobs
  std::uint64_t requests_opened_ = 0;
  std::uint64_t requests_closed_ = 0;
  std::uint64_t open_at_end_ = 0;
  bool is_counting_ = false;                                   // warm-up is over
  std::unordered_map<std::uint32_t, std::vector<Kept>> kept_;  // by job: of use if the job is completed
  RunRecord record_;
};

}  // namespace stockout
