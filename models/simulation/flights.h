#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/simulation/agenda.h"
#include "models/simulation/books.h"
#include "models/simulation/flight.h"
#include "models/simulation/grid.h"
#include "models/simulation/lease_life.h"
#include "models/simulation/recorder.h"
#include "models/simulation/route.h"
#include "models/simulation/tables.h"
#include "models/simulation/touched_pools.h"
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
  Flights(const World& world, Tables& tables, Agenda& agenda, TouchedPools& touched, Books& books,
          Recorder& recorder, const Route& route, LeaseLife& lives);

  /// A job has come that follows the strategy of that number. If it is plain it has a place now, and has to
  /// ask; else kNoJob.
  JobSlot come(const Job& job, std::uint32_t strategy) {
    FlightPlan* plan = plan_of(job, strategy);
    if (plan == nullptr || job.max_wait != kForever) return kNoJob;
    const SimDuration length = plan->length(job.work);
    return length == SimDuration::zero() ? kNoJob : enter(job, *plan, length);
  }
  /// The pool in which it asks, or has its lease.
  [[nodiscard]] PoolId pool_of(JobSlot slot) const { return flights_[index(slot)].plan->candidate->pool; }
  /// Its request joins the queue of its pool. The pool.
  PoolId ask(JobSlot slot);
  /// Whether its lease could begin now: nobody else's machines stand in its way.
  [[nodiscard]] bool can_start(JobSlot slot) const {
    const FlightPlan& plan = *flights_[index(slot)].plan;
    return plan.source == nullptr || plan.source->leased + plan.gpus() <= plan.source->capacity;
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
  static constexpr std::uint32_t kUnknown = 0;
  static constexpr std::uint32_t kNotPlain = 1;
  static constexpr std::uint32_t kPlans = 2;  // the first of them

  FlightPlan* plan_of(const Job& job, std::uint32_t strategy) {
    if (job.group != 0 && world_.classes[index(job.job_class)].parallel > 0) return nullptr;
    const std::size_t place =
        (strategy * world_.classes.size() + index(job.job_class)) * world_.shapes.size() + index(job.shape);
    if (plan_numbers_[place] == kUnknown) plan_numbers_[place] = work_out(job, strategy);
    return plan_numbers_[place] == kNotPlain ? nullptr : &plans_[plan_numbers_[place] - kPlans];
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
  TouchedPools& touched_;
  Books& books_;
  Recorder& recorder_;
  const Route& route_;
  LeaseLife& lives_;
  std::vector<std::uint32_t> plan_numbers_;  // by strategy, class and shape
  std::deque<FlightPlan> plans_;
  std::vector<Flight> flights_;  // by JobSlot
};

}  // namespace stockout
