#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/world/world.h"
#include "tests/support/reference/demand.h"
#include "tests/support/reference/hosts.h"
#include "tests/support/reference/reference.h"
#include "tests/support/reference/state.h"
#include "tests/support/reference/work.h"

// A run of the second implementation. Files: run.cpp (instants, rounds), jobs.cpp (attempts), legs.cpp (which
// legs and places, in which order), gates.cpp, deadline.cpp (jobs that follow a deadline rule), pools.cpp
// (requests and room), hosts.cpp, reclaim.cpp (capacity and who yields), held.cpp (held pools and bookings),
// elastic.cpp, leases.cpp (the life of a lease), race.cpp (which of several leases of a job is the first at
// work), partial.cpp, faults.cpp, results.cpp, totals.cpp.
namespace stockout::reference {

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
  void begin_at_first_leg(std::size_t job);
  void do_step(std::size_t job);
  void set_step(std::size_t job, Step step, Due due, std::size_t leg = 0);
  void enter_leg(std::size_t job, std::size_t leg);
  void ask_first_place(std::size_t job);
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
  [[nodiscard]] bool has_open_request(std::size_t job, std::size_t leg = kNone) const;  // kNone: in any leg
  [[nodiscard]] const Leg& leg_of(const JobState& job, std::size_t leg) const {
    return job.strategy->legs[leg];
  }

  // legs.cpp
  [[nodiscard]] std::vector<std::size_t> open_legs(const JobState& job) const;
  void order_legs(JobState& job);
  [[nodiscard]] std::size_t first_leg(const JobState& job) const;
  [[nodiscard]] std::size_t leg_after(const JobState& job, std::size_t leg) const;
  [[nodiscard]] PriceForWork price_of(const Candidate& candidate) const;
  [[nodiscard]] std::optional<PriceForWork> least_price(const JobState& job, std::size_t leg) const;
  [[nodiscard]] std::vector<Candidate> places_in_order(const JobState& job, std::size_t leg);
  [[nodiscard]] std::vector<Candidate> possible(const JobState& job, std::size_t leg) const;
  [[nodiscard]] bool could_ever_hold(const Leg& leg, const Candidate& candidate) const;
  [[nodiscard]] bool too_many_for_a_place(const JobState& job, std::size_t leg) const;
  [[nodiscard]] bool any_leg_possible(const JobState& job) const;

  // gates.cpp
  [[nodiscard]] std::size_t first_in_line(const std::string& row) const;
  [[nodiscard]] std::int64_t open_in_row(const std::string& row) const;
  [[nodiscard]] bool may_open(const JobState& job, std::size_t requests) const;
  void come_to_gate(std::size_t job, const std::vector<Candidate>& candidates);
  void leave_gate(std::size_t job);
  void look_at_gates();
  void let_in(const std::string& row);
  [[nodiscard]] bool gate_is_due() const;

  // deadline.cpp
  [[nodiscard]] bool follows_rule(const JobState& job) const {
    return job.strategy->deadline_rule.has_value();
  }
  void release_by_rule(std::size_t job);
  void set_next_tick(std::size_t job);
  void decide(std::size_t job);
  [[nodiscard]] std::size_t wanted_leg(std::size_t job, std::size_t state) const;
  [[nodiscard]] SimDuration work_on(std::size_t lease) const;
  [[nodiscard]] std::int64_t safe_rate(const JobState& job) const;
  [[nodiscard]] bool leg_is_open(const JobState& job, std::size_t leg) const;
  [[nodiscard]] bool has_room_now(std::size_t job, std::size_t leg) const;
  [[nodiscard]] std::size_t lease_of(std::size_t job) const;  // the open one, or kNone
  void give_up(std::size_t lease);

  // pools.cpp
  void close(Request& request, Fate fate);
  [[nodiscard]] Request request_for(std::size_t job, std::size_t leg, const Candidate& candidate) const;
  void make_request(std::size_t job, const Candidate& candidate);
  void withdraw_all(std::size_t job);
  void withdraw_siblings(std::size_t job, std::size_t except_leg);
  void refuse(Request& request);
  void touch(std::size_t pool);
  void dispatch_zone_pool(std::size_t pool);
  void dispatch_queue(std::size_t pool);
  void note_overtaking(std::size_t pool, std::size_t request);
  void serve_at_once(std::size_t pool, LeaseClass lease_class);
  [[nodiscard]] std::vector<std::size_t> waiting_in_order(std::size_t pool) const;
  [[nodiscard]] std::int64_t kept_for_head(const Request& at_once) const;
  [[nodiscard]] std::int64_t room_for(const Request& request) const;
  [[nodiscard]] bool fits(const Request& request) const;
  void grant(std::size_t request);
  void job_is_granted(const Request& request, Lease& lease);
  [[nodiscard]] std::int64_t room_in_held(std::size_t pool) const;
  [[nodiscard]] std::int64_t gathered_for(std::size_t pool, std::size_t source) const;

  // hosts.cpp
  [[nodiscard]] bool has_hosts(std::size_t pool) const;
  [[nodiscard]] FreeGpus free_on_hosts(std::size_t pool, const std::vector<std::size_t>& freed) const;
  [[nodiscard]] std::optional<std::vector<Standing>> standings_for(
      const Request& request, const std::vector<std::size_t>& freed) const;
  [[nodiscard]] bool finds_hosts(const Request& request) const;
  [[nodiscard]] std::vector<Standing> make_way(const Request& request);
  [[nodiscard]] std::int64_t gpus_on(const Lease& lease, std::size_t host) const;
  [[nodiscard]] bool hosts_are_taken(const Lease& lease) const;
  [[nodiscard]] bool hosts_are_free(std::size_t lease) const;
  void start_delayed_on_hosts(std::size_t pool);

  // reclaim.cpp
  [[nodiscard]] std::size_t source_of(std::size_t pool, LeaseClass lease_class) const;  // kNone: unlimited
  [[nodiscard]] bool draws_on(const Lease& lease, std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::int64_t capacity_of(std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::int64_t staying(std::size_t pool, std::size_t source, bool with_spot) const;
  [[nodiscard]] std::int64_t overhang(std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::int64_t shortage(std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::vector<std::size_t> spot_in_order(std::size_t pool, std::size_t source);
  void take_back_spot(std::size_t pool, std::size_t source);
  void capacity_step(std::size_t pool, std::size_t source);
  void capacity_changed(std::size_t pool, std::size_t source, std::int64_t before);

  // held.cpp
  void set_timetable(std::size_t pool);
  void due_for_held_pool(std::size_t pool);
  void ask_or_open(std::size_t pool);
  void request_held_pool(std::size_t pool, bool gathers);
  void create_held_pool(std::size_t pool);
  [[nodiscard]] Candidate own_machines(std::size_t pool, std::int64_t machines) const;
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
  [[nodiscard]] const HeldPool& held_pool(std::size_t pool) const { return world_.held_pool(pool_id(pool)); }
  [[nodiscard]] bool is_held(std::size_t pool) const { return world_.is_held(pool_id(pool)); }

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
  [[nodiscard]] SimDuration drawn_length(const Lease& lease, Purpose purpose) const;
  void start_up(std::size_t lease);
  [[nodiscard]] std::vector<Delayed> delayed_ones(std::size_t pool, std::size_t source) const;
  void start_delayed(std::size_t pool, std::size_t source);
  void set_own_end(Lease& lease);
  void set_leaving(std::size_t lease);
  [[nodiscard]] bool last_checkpoint_fits(const Lease& lease, SimDuration notice);
  [[nodiscard]] Progress progress_until(const Lease& lease, SimTime at) const;
  [[nodiscard]] std::int64_t loss_now(const Lease& lease);
  void end_lease(std::size_t lease);
  void after_interruption(const Lease& lease, bool saved_something);
  void after_preemption(const Lease& lease);
  void interrupt(Lease& lease);
  void attempt_again(std::size_t job);

  // partial.cpp
  [[nodiscard]] bool is_partial(const Leg& leg, const Candidate& candidate) const;
  [[nodiscard]] bool is_partial(const Request& request) const;
  [[nodiscard]] std::int64_t gpus_of_one(const Candidate& candidate) const;
  [[nodiscard]] std::int64_t machines_within_room(const Request& request) const;
  [[nodiscard]] std::int64_t fewest_at_once(const Request& request) const;
  void grant_partly(Request& request);
  void count_machines(Lease& lease) const;
  void add_lot(std::size_t lease, std::int64_t machines);
  void set_complete(Lease& lease);
  void stop_asking(Lease& lease);
  [[nodiscard]] std::int64_t gpus_of_lot(const Lease& lease, std::size_t lot) const;
  void begin_lot(std::size_t lease, std::size_t lot);
  void start_if_complete(std::size_t lease);
  void set_next_lot(std::size_t lease);
  void want_lot(std::size_t job);
  void serve_lots(std::size_t pool, LeaseClass lease_class);
  void take_lot(std::size_t lease);
  void stop_gathering(std::size_t lease);

  // losses.cpp
  [[nodiscard]] std::int64_t machines_leaving(const Lease& lease) const;
  [[nodiscard]] std::int64_t machines_staying(const Lease& lease) const;
  [[nodiscard]] std::int64_t gpus_staying(const Lease& lease) const;
  [[nodiscard]] bool can_lose(const Lease& lease, std::int64_t machines) const;
  [[nodiscard]] std::int64_t gpus_to_give(const Lease& lease, std::int64_t needed) const;
  void give_back(std::size_t lease, std::int64_t gpus);
  void lose_machine(std::size_t lease, std::size_t machine, bool broke);
  void set_loss(Lease& lease, SimDuration notice);
  void leave_with_machines(Lease& lease);
  void machines_go(std::size_t lease);

  // race.cpp
  [[nodiscard]] std::uint64_t draws_of(const Request& request) const;
  void win_race(std::size_t lease);
  void lose_race(Lease& lease);
  [[nodiscard]] bool race_goes_on(const Lease& ended) const;

  // faults.cpp
  void draw_lifetime(Lease& lease);
  void draw_fault(Lease& lease);
  [[nodiscard]] SimDuration health_test(const Lease& lease) const;
  void draw_lives_of_lot(Lease& lease, std::size_t lot);
  [[nodiscard]] std::vector<Failing> failing_ones();
  void lifetimes_and_faults();
  void take_machine(const Failing& failing, SimDuration notice);
  void lifetime_ends(const Failing& failing);
  void machine_breaks(const Failing& failing);
  void repairs();
  [[nodiscard]] std::int64_t broken_in(std::size_t pool, std::size_t source) const;
  [[nodiscard]] std::int64_t gpus_of_machine(const Lease& lease, const Part& part) const;

  // results.cpp
  void book(const Lease& lease, SimTime ended, SimDuration useful, SimDuration redone);
  void book_machines(const Lease& lease, SimTime ended, SimDuration useful, SimDuration redone);
  void log(const Lease& lease, SimTime ended, SimDuration lost, bool preempted);
  void add_usage(UsageKey key, std::int64_t machines, SimTime from, SimTime to);
  void close_open_leases();
  void add_capacity_until(SimTime at);
  void count_totals();
  void count_phantom();
  void add_free_hosts(std::size_t pool, SimDuration passed);
  [[nodiscard]] std::int64_t area_of(const Lease& lease, SimTime ended) const;
  void book_held_pools();
  void book_elastic_pool(std::size_t pool);
  [[nodiscard]] std::int64_t area_on(std::size_t pool, SimTime from, SimTime to) const;
  [[nodiscard]] SimDuration time_leased(std::size_t job) const;
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
  std::size_t turns_at_gates_ = 0;
  bool gates_changed_ = false;  // a request was closed, or somebody left a line
  Phase phase_ = Phase::releases;
  ReferenceResult result_;
};

}  // namespace stockout::reference
