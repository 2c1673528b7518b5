#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/kueue.h"
#include "models/orchestrators/slurm/slurm.h"
#include "models/world/world.h"
#include "tests/support/reference/reference.h"
#include "tests/support/reference/run_books.h"
#include "tests/support/reference/state.h"
#include "tests/support/reference/work.h"

// A run of the second implementation, by sections of the contract.
namespace stockout::reference {

class Run : RunBooks {
 public:
  Run(const World& world, std::size_t strategy, std::uint64_t replication);
  ReferenceResult simulate();

 private:
  // 1: demand.cpp
  void add_jobs();

  // 2, 15: run.cpp
  void hold_from_begin();
  template <typename Visit>
  void for_each_to_come(Kind kind, Visit visit);
  SimTime next_instant();
  void put_requests_away();
  bool play_first(Kind kind);
  void run_instant();
  void run_round();
  void releases_and_capacity();
  void timers();
  void arrivals();
  void dispatch();
  void touch(std::size_t pool);
  bool is_due(const Due& due) const { return due.at == now_ && due.round <= round_; }
  bool comes_due(Due& due);
  Due from_now(SimDuration after);
  Due set_for(SimTime at);
  Due at_soonest(SimTime at);
  Due at_soonest() { return at_soonest(now_); }
  SimTime after_this_instant() const;
  SimTime latest_end() const;

  // 3: route.cpp
  std::vector<std::size_t> open_legs(const JobState& job) const;
  void order_legs(JobState& job);
  std::size_t leg_after(const JobState& job, std::size_t leg) const;
  std::int64_t paid_now(const PriceLine& line) const;
  PriceForWork price_of(const Candidate& candidate) const;
  std::optional<PriceForWork> least_price(const JobState& job, std::size_t leg) const;
  std::vector<Candidate> places_in_order(const JobState& job, std::size_t leg);
  std::vector<Candidate> possible(const JobState& job, std::size_t leg) const;
  bool could_ever_hold(const Leg& leg, const Candidate& candidate) const;
  std::int64_t most_ever(const Leg& leg, std::size_t pool) const;

  // 4: books.cpp
  const Pool& pool_of(std::size_t pool) const { return world_.pool(pool_id(pool)); }
  const HeldPool& held_pool(std::size_t pool) const { return world_.held_pool(pool_id(pool)); }
  bool is_held(std::size_t pool) const { return pool >= world_.pools.size(); }
  std::size_t source_of(std::size_t pool, LeaseClass lease_class) const;
  bool draws_on(const Asked& asked, std::size_t pool, std::size_t source) const;
  std::vector<CapacityStep> steps_of(const CapacitySource& source) const;
  std::int64_t capacity_of(std::size_t pool, std::size_t source) const;
  std::int64_t gpus_of(const Lease& lease) const;
  std::int64_t gpus_staying(const Lease& lease) const;
  std::int64_t staying(std::size_t pool, std::size_t source, bool with_spot) const;
  std::int64_t shortage(std::size_t pool, std::size_t source) const;
  std::int64_t overhang(std::size_t pool, std::size_t source) const;
  std::int64_t room_in_held(std::size_t pool) const;
  std::int64_t gathered_for(std::size_t pool, std::size_t source) const;
  std::int64_t kept_for_head(const Request& request);
  std::int64_t room_for(const Request& request);
  bool fits(const Request& request);
  bool capacity_step();
  void capacity_changed(std::size_t pool, std::size_t source, std::int64_t before);
  void start_delayed(std::size_t pool, std::size_t source);
  std::vector<std::pair<Lease*, std::size_t>> delayed_ones(std::size_t pool, std::size_t source);
  std::int64_t gpus_of_batch(const Lease& lease, std::size_t batch) const;

  // 4: hosts.cpp
  bool has_hosts(std::size_t pool) const { return pool_of(pool).placement.has_value(); }
  FreeGpus empty_hosts(const Placement& placement) const;
  std::optional<Hosts> put_on_hosts(const Placement& placement, Compact compact, const FreeGpus& free,
                                    const Candidate& candidate) const;
  FreeGpus free_on_hosts(std::size_t pool, const std::vector<Lease*>& freed);
  std::optional<Hosts> hosts_for(const Asked& asked, const std::vector<Lease*>& freed);
  bool finds_hosts(const Asked& asked);
  Hosts make_way(const Asked& granted);
  std::int64_t gpus_on(const Lease& lease, std::size_t host) const;
  bool hosts_are_taken(const Lease& of) const;
  bool hosts_are_free(const Lease& of) const;

  // 5: requests.cpp
  Request request_for(JobState& job, std::size_t leg, const Candidate& candidate) const;
  void make_request(JobState& job, const Candidate& candidate);
  void refuse(Request& request);
  std::vector<Request*> withdraw(Fate fate, const std::function<bool(const Request&)>& which);
  bool has_open_request(const JobState& job, std::size_t leg = kNone) const;
  std::vector<Request*> waiting_in_order(std::size_t pool);

  // 6: dispatch.cpp
  void dispatch_zone_pool(std::size_t pool);
  void serve_at_once(std::size_t pool, LeaseClass lease_class);
  void serve_queue(std::size_t pool);
  void note_overtaking(const Request& request);
  void grant(Request& request);
  void job_is_granted(const Request& request, Lease& lease);
  void add_batch(Lease& lease, std::int64_t machines);

  // 7: lease.cpp
  std::int64_t machines_of(const Lease& lease) const;
  std::int64_t rate_of(const Lease& lease) const;
  std::int64_t gpus_used(const Lease& lease) const;
  SimDuration drawn_length(const Lease& lease, Purpose purpose, const Law& law) const;
  void begin_batch(Lease& lease, std::size_t batch);
  void start_if_complete(Lease& lease);
  void start_up(Lease& lease);
  SimDuration pods_come_after(const Lease& lease) const;
  void set_expiry(Lease& lease);
  SimDuration health_test(const Lease& lease) const;
  void set_own_end(Lease& lease);
  Progress progress_of(const Lease& lease) const;
  void settle(Lease& lease, bool keeps_all);
  void end_lease(Lease& lease);
  void after_interruption(const Lease& lease, bool saved_something);

  // 8: faults.cpp, exits.cpp
  Draw draw_of_machine(Purpose purpose, const Lease& lease, std::uint64_t number) const;
  void draw_lifetimes(Lease& lease, std::size_t batch);
  [[nodiscard]] SimDuration time_to_mass_reclaim(const Lease& lease, std::size_t machine) const;
  void draw_faults(Lease& lease, std::size_t batch);
  [[nodiscard]] std::int64_t gpus_that_break(std::size_t p) const;
  void review_idle_machines(std::size_t p);
  [[nodiscard]] IdleMachine new_idle_machine(std::size_t p);
  void idle_machine_breaks(std::size_t p, std::size_t machine);
  void add_failure(Lease& lease, Failure failure, SimDuration life);
  void fail(Lease& lease, const Failure& failure);
  void reclaim_machine(Lease& lease, const Failure& failure, SimDuration notice);
  void take_from_capacity(const Lease& lease, const Failure& failure);
  void is_repaired(std::size_t pool, Broken& broken);
  void set_exit(Lease& lease);
  void worker_exits(Lease& lease);
  void work_on(Lease& lease);
  void after_exit(const Lease& lease);

  // 9: reclaim.cpp
  std::int64_t loss_now(const Lease& lease);
  std::vector<Lease*> spot_in_order(std::size_t pool, std::size_t source);
  void reclaim_spot(std::size_t pool, std::size_t source);
  void give_back(Lease& lease, std::int64_t gpus);
  void leave(Lease& lease);
  void set_leaving(Lease& lease);
  bool last_checkpoint_fits(const Lease& lease, SimDuration notice);
  void after_preemption(const Lease& lease, SimDuration pause);

  // 10: partial.cpp
  std::int64_t machines_within_room(const Request& request);
  void stop_asking(Lease& lease);
  void set_next_batch(Lease& lease);
  void want_batch(Lease& lease);
  void serve_batches(std::size_t pool, LeaseClass lease_class);
  void take_batch(Lease& lease);
  void stop_gathering(Lease& lease);
  bool can_lose(const Lease& lease, std::int64_t machines) const;
  std::int64_t gpus_to_give(const Lease& lease, std::int64_t needed) const;
  void set_loss(Lease& lease, SimDuration notice);
  void leave_with_machines(Lease& lease);
  void machines_go(Lease& lease);
  void gather_anew(Lease& lease);
  void set_join(Lease& lease, SimTime up);
  void machines_join(Lease& lease);

  // 10: spread.cpp
  bool could_ever_spread(const Leg& leg, const std::vector<Candidate>& places) const;
  std::vector<std::int64_t> spread_over(const Request& request, const std::vector<Candidate>& places);
  bool grant_spread(Request& request);
  std::vector<Lease*> leases_of_gang(Lease& lease);
  std::vector<const Lease*> leases_of_gang(const Lease& lease) const;
  void leave_along_with(Lease& lease);

  // 11: race.cpp
  std::uint64_t draws_of(const Request& request) const;
  void win_race(Lease& winner);
  void lose_race(Lease& lease);

  // 12: held.cpp
  std::size_t parent_of(std::size_t pool) const { return index(held_pool(pool).landlord); }
  bool is_bought(std::size_t pool) const;
  bool is_over(std::size_t pool) const;
  void set_timetable(std::size_t pool);
  void due_for_held_pool(std::size_t pool);
  void ask_or_open(std::size_t pool);
  Request& request_of(std::size_t pool, std::int64_t machines, LeaseClass lease_class);
  void request_own_machines(std::size_t pool);
  void held_machines_granted(Lease& lease);
  void serve_held_pools(std::size_t parent, bool bookings);
  void window_ends(std::size_t pool);
  void empty_queue(std::size_t pool);
  void end_held_lease(Lease& lease);
  bool is_of_booking(const Request& request) const;
  void decide_booking(std::size_t pool);
  bool promise_fits(std::size_t pool) const;
  std::int64_t promised_to_others(std::size_t pool, SimTime at) const;

  // 12: elastic.cpp
  std::int64_t machines_leased(std::size_t pool, bool present) const;
  std::int64_t gpus_waiting(std::size_t pool) const;
  std::int64_t least_machines(std::size_t pool) const;
  std::int64_t machines_wanted(std::size_t pool) const;
  void resize(std::size_t pool);
  void give_back_idle_machines(std::size_t pool);
  void ask_for_machines(std::size_t pool);
  void serve_elastic(std::size_t pool);
  void machine_starts(Lease& lease);
  void machines_come(std::size_t pool);

  // 13: jobs.cpp
  void arrive(JobState& job);
  void come_to_group(JobState& job);
  void release(JobState& job);
  void begin_at_first_leg(JobState& job);
  void start_at_first_leg(JobState& job);
  Lease* lease_of(const JobState& job);
  void enter_leg(JobState& job, std::size_t leg);
  void ask_place(JobState& job);
  void refused_at_place(JobState& job);
  void refused_everywhere(JobState& job);
  void patience_ends(JobState& job);
  void kept_request_ends(const Request& request);
  void own_wait_ends(JobState& job);
  void exhausted(JobState& job, FinalState outcome);
  void attempt_again(JobState& job, SimDuration pause = {});
  void would_be_final(JobState& job, FinalState state);
  bool is_tried_again(JobState& job);
  void begin_anew(JobState& job);
  void give_up_submission(JobState& job, FinalState state);
  void resubmit(JobState& job);
  SimTime next_office_time(const Resubmission& office, SimTime at) const;
  void make_final(JobState& job, FinalState state);

  // 13: deadline.cpp
  bool follows_rule(const JobState& job) const { return job.strategy->deadline_rule.has_value(); }
  void release_by_rule(JobState& job);
  bool leg_is_open(const JobState& job, std::size_t leg) const;
  void decide(JobState& job);
  SimDuration work_done(const JobState& job);
  std::size_t wanted_leg(JobState& job, std::size_t state);
  void give_up(Lease& lease);

  // 14: pipelines.cpp
  const std::optional<PipelineStep>& step_of(const JobState& job) const;
  bool follows_steps(const JobState& job) const;
  bool in_one_pipeline(const JobState& a, const JobState& b) const;
  bool is_behind(const JobState& job, const JobState& before) const;
  void look_at_pipeline(const JobState& over);
  void look_at_step(JobState& job);
  void skip(JobState& job);

  // 14: job_sets.cpp
  bool is_in_set(const JobState& job) const;
  void add_sets();
  const SetState& set_of(const JobState& job) const;
  const JobSetRule& rule_of(const SetState& set) const;
  std::vector<JobState*> open_members(const SetState& set);
  bool has_lost_member(const SetState& set) const;
  Lease* ready_lease(const JobState& job);
  SimTime begins_at(const SetState& set);
  SimTime gives_back_at(const SetState& set);
  SetAct next_act(const SetState& set);
  SimTime next_cause(const SetState& set);
  bool is_to_be_looked_at(const SetState& set);
  void look_at_sets();
  void play(SetState& set, SetAct act);
  void begin_anew(SetState& set);
  void interrupt_work(Lease& lease, bool in_place);
  void begin_work(Lease& lease);
  void start_over(JobState& job);
  void drop(Lease& lease);
  SimTime next_set_instant() const;

  // 14: limits.cpp
  std::int64_t open_in_group(const JobState& of) const;
  void let_go_in_group(const JobState& of);
  JobState* first_in_line(const std::string& row);
  bool is_within_limit(const JobState& job) const;
  void come_to_limit(JobState& job, const std::vector<Candidate>& candidates);
  void leave_line(JobState& job);
  void look_at_limits();
  JobState* next_to_let_in(const Leg& leg);

  // 14: quota.cpp
  std::int64_t quota_taken(const QuotaBucket& quota) const;
  std::int64_t quota_limit(const QuotaBucket& quota, SimTime at) const;
  bool could_ever_have_quota(const Candidate& place, LeaseClass lease_class) const;
  bool has_quota(const Candidate& place, LeaseClass lease_class) const;
  bool finds_quota(const JobState& job) const;
  std::vector<bool> quotas_wanted(const JobState& job, std::size_t leg) const;
  bool stands_in_line_of(const JobState& one, const JobState& job, std::size_t leg) const;
  bool is_behind(const JobState& job) const;
  bool could_ask_in(const JobState& job, std::size_t leg, const Candidate& place) const;
  SimTime next_quota_instant() const;
  void ask_in_leg(JobState& job);
  void ask_for_quota(JobState& job);
  void ask_past_quota(JobState& job);
  bool is_for_node_groups(const JobState& job) const;
  void lack_quota(JobState& job);
  void set_quota_try(JobState& job);
  bool may_ask_in(JobState& job, const Candidate& place);
  void make_requests(JobState& job, const std::vector<Candidate>& places);
  bool may_start(const Request& request);
  void turn_away(Request& request);
  void begin_quota_wait(JobState& job);
  void end_quota_wait(JobState& job);
  void leave_quota_line(JobState& job);
  std::vector<JobState*> standing_for_quota(const std::function<bool(const JobState&)>& which);
  JobState* next_with_quota();
  void look_at_quotas();
  void found_quota(JobState& job);

  // 14: node_groups.cpp
  void fail_node_group(const JobState& job, bool lacks_quota);
  const GroupFailure* last_failure(const Leg& leg, const Candidate& place) const;
  bool backs_off(const Leg& leg, const Candidate& place) const;
  SimTime first_end_of_back_off(const JobState& job, std::size_t leg) const;
  SimTime next_attempt_at(const JobState& job);

  // 17: kueue.cpp
  bool stops_at_kueue(JobState& job);
  kueue::PodSet pods_for(const JobState& job) const;
  void submit(const std::vector<JobState*>& jobs);
  std::int64_t least_pods(const JobState& job, const Shape& asked) const;
  void take_shape(JobState& job, const kueue::Workload& own);
  void tell_kueue();
  bool gives_quota_back(JobState& job);
  void kueue_grants(JobState& job);
  void pods_will_be_ready(const Lease& lease);
  void pods_are_gone(JobState& job);
  bool asks_for_capacity_again(JobState& job);
  void leave_kueue(JobState& job, bool completed);
  void reclaim_pods(JobState& job, const std::vector<JobState*>& others);
  void stop_workload(const JobState& job);
  void play_kueue_instants();
  void look_at_kueue();
  void kueue_turn();
  void look_at_event(const kueue::Event& event, std::vector<std::function<void()>>& to_do, bool& again);
  bool look_at_pending(JobState& job, std::vector<std::function<void()>>& to_do);
  void let_go_on(JobState& job, std::vector<std::function<void()>>& to_do);
  void suspend(JobState& job);
  void end_kueue_wait(JobState& job);
  void count_kueue_time(SimTime until);
  void count_quota_used(SimDuration length);

  // 18: slurm.cpp
  void set_up_slurm();
  SimTime slurm_time() const;
  std::vector<slurm::PartitionIndex> partitions_for(const JobState& job) const;
  slurm::JobRequest slurm_request(const JobState& job) const;
  std::vector<JobLink> links_of(const JobState& job) const;
  void link_at_slurm(slurm::JobRequest& request, const JobState& job) const;
  void tell_slurm();
  bool stops_at_slurm(JobState& job);
  void lose_nodes(JobState& job);
  void nodes_will_be_up(const Lease& lease);
  bool asks_for_other_nodes(JobState& job);
  void leave_slurm(JobState& job, bool well);
  void play_slurm_instants();
  void look_at_slurm();
  void slurm_turn();
  void look_at_event(const slurm::Event& event, std::vector<std::function<void()>>& to_do, bool& again);
  void node_goes_down(slurm::NodeIndex node, SimTime at);
  bool look_at_slurm_orchestrator(JobState& job, std::vector<std::function<void()>>& to_do);
  void fail_at_once(JobState& job);
  WaitCause cause_at_slurm(const JobState& job) const;
  void count_slurm_time(SimTime until);

  // 16: totals.cpp
  ClassTotals& totals_of(const Asked& asked);
  void add_capacity_until(SimTime at);
  GpuTime area_of(const Lease& lease) const;
  void count_requests();
  void count_leases();
  void tell(const JobState& job);
  ReferenceResult result();
  void note(const std::string& what) { ++result_.happened[what]; }
  void add_usage(UsageKey key, MachineCount machines, SimTime from, SimTime to);
  void book(const Lease& lease);
  void book_held_pools();
};

}  // namespace stockout::reference
