#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/simulation/books/books.h"
#include "models/simulation/books/orchestration.h"
#include "models/simulation/books/pool_checks.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/books/route.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/grid.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/lives/flight.h"
#include "models/simulation/lives/lease_start.h"
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
    FlightPlan& plan = plan_of(job, strategy);
    if (!plan.is_plain || job.max_wait != kForever || orchestration_.concerns_anybody(job, plan.is_tenant))
      return kNoJob;
    const SimDuration length = plan.length(job.work);
    return length == SimDuration::zero() ? kNoJob : enter(job, plan, length);
  }
  /// The pool in which it asks, or has its lease.
  [[nodiscard]] PoolId pool_of(JobSlot slot) const { return grant_of(slot).pool_id; }
  /// Its request joins the queue of its pool. The pool.
  PoolId ask(JobSlot slot);
  /// Whether its lease could begin now: nobody else's machines stand in its way.
  [[nodiscard]] bool can_start(JobSlot slot) const {
    const GrantPlan& grant = grant_of(slot);
    return grant.source == nullptr || grant.source->leased + grant.gpus <= grant.source->capacity;
  }
  /// It is granted what it waits for, which can start.
  void start(JobSlot slot) {
    leave_queue(slot);
    begin(slot);
  }
  /// Its lease is over, and its work done; leases that waited for its machines start up. The pool that it
  /// leaves.
  PoolId end(JobSlot slot);
  /// The same where no lease waits for machines.
  PoolId land(JobSlot slot);

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
  static constexpr UsageLedger::Series kUnknownSeries{~std::uint32_t{0}};

  // One for each strategy, class and shape, worked out when the first of such jobs comes.
  struct Plans {
    std::size_t classes = 0;
    std::size_t shapes = 0;
    std::vector<std::unique_ptr<FlightPlan>> all{};  // by strategy, class and shape
  };

  [[nodiscard]] FlightPlan& plan_of(const Job& job, std::uint32_t strategy) {
    const std::size_t kind = (strategy * plans_.classes + index(job.job_class)) * plans_.shapes;
    std::unique_ptr<FlightPlan>& plan = plans_.all[kind + index(job.shape)];
    if (plan == nullptr) plan = work_out(job, strategy);
    return *plan;
  }
  [[nodiscard]] std::unique_ptr<FlightPlan> work_out(const Job& job, std::uint32_t strategy);
  [[nodiscard]] std::optional<GrantPlan> only_grant(const Job& job, std::uint32_t strategy) const;
  [[nodiscard]] const GrantPlan& grant_of(JobSlot slot) const { return flights_[index(slot)].plan->grant; }
  JobSlot enter(const Job& job, FlightPlan& plan, SimDuration length);
  void begin(JobSlot slot);
  void leave_queue(JobSlot slot);
  void give_back(const GrantPlan& grant, bool is_tenant, GpuTime leased);
  void add_rows(JobSlot slot);
  UsageLedger::Series series_of(FlightPlan& plan, UserId user) {
    const bool is_known = index(user) < plan.series.size() && plan.series[index(user)] != kUnknownSeries;
    return is_known ? plan.series[index(user)] : open_series(plan, user);
  }
  UsageLedger::Series open_series(FlightPlan& plan, UserId user);
  [[nodiscard]] SimTime end_of(const Flight& flight) const {
    return on_grid(flight.granted + flight.length, world_.grid);
  }
  [[nodiscard]] Lease lease_of(JobSlot slot) const;
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
  std::vector<Flight> flights_;          // by JobSlot
  std::vector<FlightRequest> requests_;  // by JobSlot
};

// What most jobs of most runs come to, and nothing else does: inline, for the loop.

inline JobSlot Flights::enter(const Job& job, FlightPlan& plan, SimDuration length) {
  const JobSlot slot = tables_.jobs.take();
  if (flights_.size() <= index(slot)) add_rows(slot);
  Flight& flight = flights_[index(slot)];
  flight.plan = &plan;
  flight.row = job.row;
  flight.work = job.work;
  flight.length = length;
  flight.released = now();
  flight.granted = kNever;
  flight.user = job.user;
  FlightRequest& request = requests_[index(slot)];
  request.estimate = job.estimate;
  request.source = job.source;
  flight.record = recorder_.job_came(!plan.is_tenant);
  if (!plan.is_tenant) {
    flight.series = series_of(plan, job.user);
    recorder_.stay_begins();
  }
  agenda_.note_progress();
  recorder_.requests().opened();
  ++plan.grant.pool->of_class(plan.grant.lease_class).requests;
  return slot;
}

inline PoolId Flights::ask(JobSlot slot) {
  const GrantPlan& grant = grant_of(slot);
  FlightRequest& request = requests_[index(slot)];
  request.key = grant.pool->queue.enter(static_cast<std::uint32_t>(request_of(slot)), grant.gpus, now(),
                                        time_at(grant.rate, request.estimate));
  grant.pool->count_waiting(grant.gpus, now());
  return grant.pool_id;
}

inline void Flights::leave_queue(JobSlot slot) {
  const GrantPlan& grant = grant_of(slot);
  grant.pool->queue.leave(grant.gpus, requests_[index(slot)].key);
  grant.pool->count_left(grant.gpus, flights_[index(slot)].released, now());
}

// Its request is granted, and its lease begins.
inline void Flights::begin(JobSlot slot) {
  Flight& flight = flights_[index(slot)];
  const FlightPlan& plan = *flight.plan;
  const GrantPlan& grant = plan.grant;
  PoolState& pool = *grant.pool;
  STOCKOUT_CHECK(grant.gpus <= pool.room(grant.source, grant.lease_class));
  agenda_.note_progress();
  ++pool.counts.requests_ended;
  recorder_.requests().closed();
  pool.occupy(grant.source, grant.lease_class, grant.gpus, plan.is_tenant, now());
  recorder_.granted(flight.row, grant.pool_id, !plan.is_tenant);
  if (!plan.is_tenant) recorder_.meter().start(flight.series, grant.machines, now() + plan.provisioning);
  flight.granted = now();
  agenda_.at_flight_end(end_of(flight), slot);
}

inline PoolId Flights::land(JobSlot slot) {
  Flight& flight = flights_[index(slot)];
  const FlightPlan& plan = *flight.plan;
  const GrantPlan& grant = plan.grant;
  STOCKOUT_CHECK(end_of(flight) == now(), "a lease does not end when its end was set");
  const SimDuration held = now() - flight.granted;
  TimeSplit split = split_of(grant.gpus - grant.unused, grant.unused, held, time_at(grant.rate, flight.work),
                             SimDuration::zero());
  split.completed = split.useful;
  recorder_.lease_over(flight.row, grant.pool_id);
  give_back(grant, plan.is_tenant, split.total());
  if (!plan.is_tenant) {
    recorder_.meter().stop(flight.series, grant.machines, flight.granted + plan.provisioning);
    recorder_.meter().book(flight.series, split);
    recorder_.stay_ends(flight.record, flight.row,
                        {.state = FinalState::completed,
                         .leg = grant.leg_number,
                         .released = flight.released,
                         .first_grant = flight.granted,
                         .finished = now(),
                         .start_delay = plan.start,
                         .leased = held});
  }
  agenda_.note_progress();
  flight.plan = nullptr;
  tables_.jobs.remove(slot);
  return grant.pool_id;
}

// The machines of a lease that comes to so much GPU-time.
inline void Flights::give_back(const GrantPlan& grant, bool is_tenant, GpuTime leased) {
  PoolState& pool = *grant.pool;
  pool.counts.lease_gpu_ms += leased.count();
  PoolState::vacate(grant.source, grant.lease_class, grant.gpus, now());
  pool.change_leased(grant.source, grant.lease_class, GpuCount{0} - grant.gpus, is_tenant, now());
}

inline bool Flights::ask_alone(JobSlot slot) {
  const GrantPlan& grant = grant_of(slot);
  PoolState& pool = *grant.pool;
  if (pool.queue.size() > 0 || !pool.is_quiet() || grant.gpus > pool.room(LeaseClass::flex) ||
      !can_start(slot)) {
    return serve(ask(slot));
  }
  pool.totals.peak_waiting = std::max<std::uint64_t>(pool.totals.peak_waiting, 1);
  begin(slot);
  return true;
}

inline bool Flights::serve(PoolId id) {
  PoolState& pool = books_.pool(id);
  if (!pool.is_quiet()) return false;
  while (pool.queue.size() > 0) {
    const RequestSlot next = pool.first_waiting(pool.room(LeaseClass::flex));
    if (next == kNoRequest) break;
    if (!is_flight(next) || !can_start(flight_of(next))) return false;
    start(flight_of(next));
  }
  check_capacity(pool);
  return true;
}

}  // namespace stockout
