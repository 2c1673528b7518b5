#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/simulation/agenda.h"
#include "models/simulation/books.h"
#include "models/simulation/flight.h"
#include "models/simulation/grid.h"
#include "models/simulation/lease_start.h"
#include "models/simulation/orchestration.h"
#include "models/simulation/pool_checks.h"
#include "models/simulation/recorder.h"
#include "models/simulation/route.h"
#include "models/simulation/tables.h"
#include "models/world/world.h"

namespace stockout {

/// Plain jobs: nothing can come of them but that they wait their turn in one queue, run and are done. No rule
/// has anything to decide about them, so that they need no room but this one: one record each, a few verbs of
/// the books and the recorder. All else is as for any job, and to_rooms() makes one of them any job.
///
/// A job is plain if the first leg that is open to it waits without end in the queue of one zone pool,
/// start-up takes a constant time, and nothing may end its lease before its work is done. A run with logs has
/// none.
class Flights {
 public:
  Flights(const World& world, Tables& tables, Agenda& agenda, Books& books, Recorder& recorder,
          const Route& route, const Orchestration& orchestration, LeaseStart& starts);

  /// A job has come that follows the strategy of that number. If it is plain it has a place now, and has to
  /// ask; else kNoJob.
  JobSlot come(const Job& job, std::uint32_t strategy) {
    FlightPlan* plan = plan_of(job, strategy);
    if (plan == nullptr || job.max_wait != kForever || orchestration_.concerns_anybody(job, plan->is_tenant))
      return kNoJob;
    const SimDuration length = plan->length(job.work);
    return length == SimDuration::zero() ? kNoJob : enter(job, *plan, length);
  }
  /// The pool in which it asks, or has its lease.
  [[nodiscard]] PoolId pool_of(JobSlot slot) const { return flights_[index(slot)].plan->pool_id; }
  /// Its request joins the queue of its pool. The pool.
  PoolId ask(JobSlot slot);
  /// Whether its lease could begin now: nobody else's machines stand in its way.
  [[nodiscard]] bool can_start(JobSlot slot) const {
    const FlightPlan& plan = *flights_[index(slot)].plan;
    return plan.source == nullptr || plan.source->leased + plan.gpus <= plan.source->capacity;
  }
  /// It is granted what it waits for, which can start.
  void start(JobSlot slot) {
    leave_queue(flights_[index(slot)]);
    begin(slot);
  }
  /// Its lease is over, and its work done. The pool that it leaves.
  PoolId end(JobSlot slot);

  // An instant in which nothing else happens needs no rounds.

  /// It asks, alone in its instant. True: all is done; false: its pool has to be dispatched.
  bool ask_alone(JobSlot slot);
  /// The pool, in which one lease has ended or one request was made, grants what it can. False as above.
  bool serve(PoolId pool);

  // What is not plain.

  /// It goes on through the rooms: its record, and its request, which has left the queue.
  Request to_rooms(JobSlot slot);
  /// All do so since the run is over; how many had a request.
  std::uint64_t all_to_rooms();

 private:
  // One for each strategy, class and shape whose jobs are plain, worked out when the first of them comes.
  struct Plans {
    std::size_t classes = 0;
    std::size_t shapes = 0;
    std::vector<std::uint32_t> numbers{};  // by strategy, class and shape
    std::deque<FlightPlan> all{};
  };

  static constexpr std::uint32_t kUnknown = 0;
  static constexpr std::uint32_t kNotPlain = 1;
  static constexpr std::uint32_t kPlans = 2;  // the first of them

  FlightPlan* plan_of(const Job& job, std::uint32_t strategy) {
    const std::size_t place =
        (strategy * plans_.classes + index(job.job_class)) * plans_.shapes + index(job.shape);
    std::uint32_t& number = plans_.numbers[place];
    if (number == kUnknown) number = work_out(job, strategy);
    return number == kNotPlain ? nullptr : &plans_.all[number - kPlans];
  }
  std::uint32_t work_out(const Job& job, std::uint32_t strategy);
  JobSlot enter(const Job& job, FlightPlan& plan, SimDuration length);
  void begin(JobSlot slot);
  void leave_queue(const Flight& flight);
  UsageLedger::Series series_of(FlightPlan& plan, UserId user);
  [[nodiscard]] Lease lease_of(JobSlot slot) const;
  [[nodiscard]] static bool is_quiet(const PoolState& pool);
  [[nodiscard]] SimTime now() const { return agenda_.now(); }

  const World& world_;
  Tables& tables_;
  Agenda& agenda_;
  Books& books_;
  Recorder& recorder_;
  const Route& route_;
  LeaseStart& starts_;
  const Orchestration& orchestration_;
  Plans plans_;
  std::vector<Flight> flights_;  // by JobSlot
};

// What most jobs of most runs come to, and nothing else does: inline, for the loop.

inline JobSlot Flights::enter(const Job& job, FlightPlan& plan, SimDuration length) {
  const JobSlot slot = tables_.jobs.take();
  if (flights_.size() <= index(slot)) flights_.resize(index(slot) + 1);
  Flight& flight = flights_[index(slot)];
  flight.plan = &plan;
  flight.is_running = false;
  flight.source = job.source;
  flight.user = job.user;
  flight.row = job.row;
  flight.work = job.work;
  flight.estimate = job.estimate;
  flight.length = length;
  flight.released = now();
  flight.record = recorder_.job_came(!plan.is_tenant);
  if (!plan.is_tenant) {
    flight.series = series_of(plan, job.user);
    recorder_.stay_begins();
  }
  agenda_.note_progress();
  recorder_.requests().opened();
  ++plan.pool->of_class(plan.lease_class).requests;
  return slot;
}

inline PoolId Flights::ask(JobSlot slot) {
  Flight& flight = flights_[index(slot)];
  const FlightPlan& plan = *flight.plan;
  flight.key = plan.pool->queue.enter(static_cast<std::uint32_t>(request_of(slot)), plan.gpus, now(),
                                      time_at(plan.rate, flight.estimate));
  plan.pool->count_waiting(plan.gpus, now());
  return plan.pool_id;
}

inline void Flights::leave_queue(const Flight& flight) {
  const FlightPlan& plan = *flight.plan;
  plan.pool->queue.leave(plan.gpus, flight.key);
  plan.pool->count_left(plan.gpus, flight.released, now());
}

// Its request is granted, and its lease begins.
inline void Flights::begin(JobSlot slot) {
  Flight& flight = flights_[index(slot)];
  const FlightPlan& plan = *flight.plan;
  STOCKOUT_CHECK(plan.gpus <= plan.pool->room(plan.lease_class));
  agenda_.note_progress();
  ++plan.pool->counts.requests_ended;
  recorder_.requests().closed();
  plan.pool->occupy(plan.source, plan.lease_class, plan.gpus, plan.is_tenant, now());
  recorder_.granted(flight.row, plan.pool_id, !plan.is_tenant);
  if (!plan.is_tenant) recorder_.meter().start(flight.series, plan.machines, now() + plan.provisioning);
  flight.is_running = true;
  flight.granted = now();
  flight.ends = on_grid(now() + flight.length, world_.grid);
  agenda_.at_flight_end(flight.ends, slot);
}

inline PoolId Flights::end(JobSlot slot) {
  Flight& flight = flights_[index(slot)];
  const FlightPlan& plan = *flight.plan;
  const PoolId id = plan.pool_id;
  PoolState& pool = *plan.pool;
  STOCKOUT_CHECK(flight.ends == now(), "a lease does not end when its end was set");
  const SimDuration held = now() - flight.granted;
  const GpuCount unused = plan.unused;
  TimeSplit split =
      split_of(plan.gpus - unused, unused, held, time_at(plan.rate, flight.work), SimDuration::zero());
  split.completed = split.useful;
  pool.counts.lease_gpu_ms += split.total().count();
  recorder_.lease_over(flight.row, id);
  PoolState::vacate(plan.source, plan.lease_class, plan.gpus, now());
  pool.change_leased(plan.source, plan.lease_class, GpuCount{0} - plan.gpus, plan.is_tenant, now());
  if (plan.source != nullptr && !plan.source->delayed.empty()) starts_.start_ready(pool, *plan.source);
  if (!plan.is_tenant) {
    recorder_.meter().stop(flight.series, plan.machines, flight.granted + plan.provisioning);
    recorder_.meter().book(flight.series, split);
    recorder_.stay_ends(flight.record, flight.row,
                        {.state = FinalState::completed,
                         .leg = plan.leg_number,
                         .released = flight.released,
                         .first_grant = flight.granted,
                         .finished = now(),
                         .start_delay = plan.start,
                         .leased = held});
  }
  agenda_.note_progress();
  flight.plan = nullptr;
  tables_.jobs.remove(slot);
  return id;
}

inline bool Flights::ask_alone(JobSlot slot) {
  const FlightPlan& plan = *flights_[index(slot)].plan;
  PoolState& pool = *plan.pool;
  if (pool.queue.size() > 0 || !is_quiet(pool) || plan.gpus > pool.room(LeaseClass::flex) ||
      !can_start(slot)) {
    return serve(ask(slot));
  }
  pool.totals.peak_waiting = std::max<std::uint64_t>(pool.totals.peak_waiting, 1);
  begin(slot);
  return true;
}

inline bool Flights::serve(PoolId id) {
  PoolState& pool = books_.pool(id);
  if (!is_quiet(pool)) return false;
  for (;;) {
    const RequestSlot next = pool.first_waiting(pool.room(LeaseClass::flex));
    if (next == kNoRequest) break;
    if (!is_flight(next) || !can_start(flight_of(next))) return false;
    start(flight_of(next));
  }
  check_capacity(pool);
  return true;
}

}  // namespace stockout
