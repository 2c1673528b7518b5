#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "models/execution/work.h"
#include "models/simulation/agenda.h"
#include "models/simulation/books.h"
#include "models/simulation/draws.h"
#include "models/simulation/gate.h"
#include "models/simulation/held_state.h"
#include "models/simulation/pace.h"
#include "models/simulation/partial_state.h"
#include "models/simulation/reclaim.h"
#include "models/simulation/recorder.h"
#include "models/simulation/route.h"
#include "models/simulation/run_events.h"
#include "models/simulation/simulate.h"
#include "models/simulation/touched_pools.h"
#include "models/world/world.h"
#include "sim/engine/slots.h"
#include "sim/random/draw.h"

namespace stockout {

/// One simulation under way. The main loop is in run.cpp; what a job does between leases in acquisition.cpp;
/// what happens to leases in leases.cpp, to those of fewer machines in partial.cpp, what machines do of
/// themselves in faults.cpp; grants and refusals in dispatch.cpp, on which hosts in hosts.cpp; models with a
/// bound on open requests in gate.cpp; the order of legs and places in price_order.cpp; races in race.cpp;
/// held pools in held_pools.cpp, bookings.cpp and elastic.cpp; jobs under a deadline rule in deadline.cpp;
/// the end and its checks in closing.cpp.
class Run {
 public:
  Run(const World& world, std::size_t strategy, std::uint64_t replication, const Logs& logs);

  RunRecord play();

 private:
  struct Group {
    std::int32_t open = 0;
    std::deque<JobSlot> held;  // jobs, in order of arrival
  };

  // run.cpp: the main loop and the phases of a round.
  [[nodiscard]] SimTime now() const { return agenda_.now(); }
  [[nodiscard]] SimTime next_instant();
  SimTime play_instant(SimTime at);
  void play_round();
  void do_releases();
  void do_capacity();
  void play_life(Event event);
  [[nodiscard]] static Step step_of(EventKind kind);
  void do_timers();
  void do_steps();
  void do_arrivals();
  void skip_unwanted_arrivals();
  void do_dispatch();
  void begin_counting();
  void open_capacity();
  void set_capacity(PoolId pool, std::size_t source);
  void touch(PoolId id) { touched_.touch(id, now()); }
  [[nodiscard]] Due due(JobSlot slot, Step step) const;
  void plan(JobSlot slot, Step step) { agenda_.plan(due(slot, step)); }
  void attempt_at(JobSlot slot, SimTime at);
  [[nodiscard]] bool is_live(const JobStay& entry) const;

  // acquisition.cpp: a job between leases.
  void submit(const Job& job);
  void join_group_or_release(JobSlot slot);
  void release_job(JobSlot slot);
  void begin_attempt(JobSlot slot);
  void enter_leg(JobSlot slot, std::size_t leg);
  void ask_place(JobSlot slot);
  void join_queues(JobSlot slot);
  void ask_queues(JobSlot slot);
  void open_request(JobSlot slot, const Candidate& candidate, bool waiting);
  Request close_request(RequestSlot request);
  void withdraw(RequestSlot request);
  void expire(RequestSlot request);
  void expire_leg(JobSlot slot);
  void keep_leg(JobSlot slot);
  void kept_over(RequestSlot request);
  void refused(JobSlot slot);
  void exhaust(JobSlot slot, Exhaustion why);
  void end_of_legs(JobSlot slot, Exhaustion why);
  bool resubmit(JobSlot slot);
  [[nodiscard]] SpentTries& tries_of(JobState& job);
  [[nodiscard]] static bool spend(std::uint16_t& spent, Tries allowed);
  void do_step(const Due& due);
  void leave_group(const JobState& job);
  void patience_over(JobSlot slot);
  void own_wait_over(JobSlot slot);
  [[nodiscard]] SimTime next_office_hour(SimTime at, const Resubmission& rule) const;

  // gate.cpp: models with a bound on open requests.
  void build_gates();
  [[nodiscard]] std::uint8_t gate_of(const JobState& job, std::size_t leg) const;
  bool passes_gate(JobSlot slot) { return gates_.empty() || may_pass(slot); }
  bool may_pass(JobSlot slot);
  [[nodiscard]] bool fits_gate(const JobState& job) const;
  [[nodiscard]] JobSlot first_standing(Gate& gate);
  [[nodiscard]] bool lets_in(Gate& gate);
  [[nodiscard]] bool is_gate_due() { return !gates_.empty() && is_some_gate_due(); }
  [[nodiscard]] bool is_some_gate_due();
  void open_gates();

  // dispatch.cpp: grants and refusals.
  void dispatch(PoolId id);
  void create_wanted(PoolState& landlord);
  void decide_at_once(PoolState& pool, LeaseClass lease_class);
  void grant_or_refuse(PoolState& pool, LeaseClass lease_class, std::vector<RequestSlot>& requests);
  void refuse(RequestSlot request);
  void serve_queue(PoolState& pool);
  [[nodiscard]] static RequestSlot head_of_queue(const PoolState& pool) {
    return first_waiting(pool, PoolState::kUnlimitedRoom);
  }
  [[nodiscard]] static RequestSlot first_waiting(const PoolState& pool, GpuCount room) {
    return RequestSlot{pool.queue.first(room)};
  }
  void serve_head(PoolState& pool, LeaseClass lease_class);
  [[nodiscard]] GpuCount room_at_once(const PoolState& pool, LeaseClass lease_class) const;
  void grant(RequestSlot request, GpuCount gpus);
  void settle_grant(const PoolState& pool, LeaseClass lease_class);
  [[nodiscard]] std::uint64_t victim_rank(const PoolState& pool, const Lease& lease);
  void make_room(const PoolState& pool, const SourceState& source);

  // leases.cpp: from grant to release.
  void start_up(LeaseSlot lease, GpuCount gpus);
  void begin_work(LeaseSlot lease, std::int64_t machines);
  [[nodiscard]] Rate rate_of(const Lease& lease) const;
  void set_own_end(LeaseSlot lease, Checkpoints rule);
  [[nodiscard]] SimTime on_grid(SimTime at) const;
  void start_ready(PoolState& pool, SourceState& source);
  void take_back(LeaseSlot lease, Interruption why, SimDuration notice);
  void interrupt(LeaseSlot lease, Interruption why, SimDuration notice, bool saves);
  [[nodiscard]] std::uint64_t loss_if_taken(const Lease& lease) const;
  [[nodiscard]] bool saves_within(const Lease& lease, SimDuration notice) const;
  [[nodiscard]] SimDuration progress_now(const Lease& lease) const;
  void lease_ends(LeaseSlot lease);
  void preempted(JobSlot job);
  void set_end(LeaseSlot lease, SimTime at);
  void close_lease(LeaseSlot lease, SimDuration kept, SimDuration lost, bool completes);

  // partial.cpp: leases that take fewer machines than asked.
  [[nodiscard]] static GpuCount granted_gpus(const Request& request, GpuCount room);
  void begin_partial(LeaseSlot lease);
  void set_gather_step(LeaseSlot lease);
  void gather_step(JobSlot job);
  void grow_leases(PoolState& pool, LeaseClass lease_class);
  void complete_gang(LeaseSlot lease);
  void start_lot(LeaseSlot lease, GpuCount gpus);
  EventHandle schedule_life(LeaseSlot lease, std::size_t machine, SimTime up);
  void schedule_fault(LeaseSlot lease, std::size_t machine);
  void start_gang(LeaseSlot lease);
  [[nodiscard]] GpuCount gift_of(const Lease& lease, GpuCount need) const;
  void take_victim(const Victim& victim);
  void lose_machine(Event event);
  void lose_machines(LeaseSlot lease, GpuCount gpus, SimDuration notice);
  void hasten_end(LeaseSlot lease, SimTime latest);
  void machines_gone(LeaseSlot lease, Progress progress);
  void end_machine(const Lease& lease, PartialMachine& machine);
  void add_piece(const Lease& lease, SimDuration kept, SimDuration lost);
  void note_first_work(const Lease& lease);
  void close_partial(const Lease& lease, SimDuration kept, Closed& closed);
  [[nodiscard]] GpuCount unused_gpus(const Lease& lease) const;

  // hosts.cpp: pools with placement.
  [[nodiscard]] static bool has_hosts(PoolState& pool, LeaseClass lease_class, const Footprint& footprint) {
    return pool.hosts == nullptr || pool.hosts->fits(lease_class, footprint);
  }
  [[nodiscard]] bool has_hosts(const Candidate& candidate, const Leg& leg) {
    PoolState& pool = books_.pool(candidate.pool);
    return pool.hosts == nullptr ||
           pool.hosts->fits(leg.policy.lease_class, candidate.footprint(leg.compact));
  }
  void serve_queue_on_hosts(PoolState& pool);
  [[nodiscard]] RequestSlot next_on_hosts(PoolState& pool);
  std::span<const HostShare> find_hosts(PoolState& pool, LeaseClass lease_class, const Footprint& footprint);
  [[nodiscard]] std::vector<LeaseSlot> clear_hosts(PoolState& pool, const Footprint& footprint);
  void start_ready_on_hosts(PoolState& pool);
  static void count_refusal(PoolState& pool, LeaseClass lease_class, bool had_room);

  // race.cpp: several requests, or leases, of one job.
  [[nodiscard]] std::uint32_t draw_key(const Request& request) const;
  void withdraw_losers(const Request& granted);
  void lose_request(RequestSlot request);
  void await_work(LeaseSlot lease);
  void work_begins(LeaseSlot lease);
  void lose_race(LeaseSlot lease);
  void unset_end(LeaseSlot lease);
  [[nodiscard]] bool is_racing(const JobState& job) const;
  void take_off(JobState& job, LeaseSlot lease);

  // faults.cpp: what machines do of themselves.
  void draw_lifetime(LeaseSlot lease);
  void draw_fault(LeaseSlot lease);
  void life_over(LeaseSlot lease);
  void machine_breaks(LeaseSlot lease);
  void break_machine(const Lease& lease, std::uint8_t rule, std::uint32_t machine);
  [[nodiscard]] GpuCount gpus_of_machine(const Lease& lease, std::uint32_t machine) const;
  void repaired(Event event);

  // deadline.cpp: jobs under a deadline rule.
  void begin_rule(JobSlot job);
  void set_tick(JobSlot job);
  void decide(JobSlot job);
  void bar_leg(JobSlot job);
  void give_up(LeaseSlot lease);
  [[nodiscard]] bool may_ask(const JobState& job, std::size_t leg) const;
  [[nodiscard]] bool has_room(const JobState& job, std::size_t leg);

  // held_pools.cpp: how held pools come and go.
  [[nodiscard]] std::size_t held_number(PoolId id) const { return index(id) - world_.pools.size(); }
  [[nodiscard]] HeldState& held_state(PoolId id) { return held_[held_number(id)]; }
  void begin_held(PoolId id);
  EventHandle schedule_held(SimTime at, EventKind kind, PoolId id);
  void ask_again(PoolId id);
  void at_or_now(SimTime at, EventKind kind, PoolId id);
  void do_held_pools();
  void play_held(EventKind kind, PoolId id, LeaseSlot lease);
  void ask_landlord(PoolId id);
  void create_held(PoolId id);
  void take_machines(PoolId id);
  void machines_free(LeaseSlot lease);
  [[nodiscard]] bool is_held_there(PoolId id);
  void open_held(PoolId id);
  void end_held(PoolId id);
  void landlord_has_more(const HeldPool& held);
  void close_held(PoolId id);
  void add_span(PoolId id, MachineCount machines, GpuCount gpus, SimTime since);
  void book_held(PoolId id);
  void empty_queue(PoolId id);
  void lost_request(JobSlot job, std::uint8_t leg);

  // bookings.cpp
  [[nodiscard]] bool accepts(PoolId id);
  [[nodiscard]] GpuCount promised_at(PoolId id, SimTime at);
  void accept_booking(PoolId id);
  void refuse_booking(PoolId id);
  void gather_for(PoolId id);
  void stop_gathering(PoolId id);
  void serve_bookings(PoolState& landlord);

  // elastic.cpp
  [[nodiscard]] GpuCount free_gpus(PoolId id);
  [[nodiscard]] std::int64_t machines_wanted(PoolId id);
  void mind_elastic(PoolId id);
  void count_idle(PoolId id);
  void shrink(PoolId id);
  void grow(PoolId id);
  void take_machine(PoolId id);
  void machine_there(PoolId id, LeaseSlot lease);
  void give_back(PoolId id, LeaseSlot lease);
  void give_all_back(PoolId id);

  // closing.cpp: the end of a job, and of the run.
  void finish(JobSlot slot, FinalState state);
  void close_open_leases();
  void close_at_end(LeaseSlot lease);
  void close_held_pools();
  [[nodiscard]] std::uint64_t close_open_job(JobSlot slot);
  [[nodiscard]] RunRecord close_open_jobs();

  const World& world_;
  const Strategy& strategy_;
  Pace pace_;
  Arrivals arrivals_;
  Agenda agenda_;
  TouchedPools touched_;
  Recorder recorder_;
  Draws draws_;
  Route route_;
  Books books_;
  Slots<JobState, JobSlot> jobs_;
  Slots<Request, RequestSlot> requests_;
  Slots<PartialLease, GangSlot> partials_;
  Slots<SpentTries, TriesSlot> tries_;
  std::unordered_map<std::uint64_t, Group> groups_;  // by source and group

  std::vector<Gate> gates_;  // of the strategy under test, in order of their first legs
  std::vector<std::uint8_t> gate_of_leg_;

  SimTime stop_;                   // the run never goes past it
  std::vector<Due> steps_;         // scratch
  std::size_t most_rounds_ = 0;    // without progress, at one instant
  std::vector<HeldState> held_;    // by held pool
  std::vector<HostShare> shares_;  // scratch: where a lease will stand
  std::uint32_t generations_ = 0;
  bool is_counting_ = false;  // warm-up is over
};

}  // namespace stockout
