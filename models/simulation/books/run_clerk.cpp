#include "models/simulation/books/run_clerk.h"

namespace stockout {

JobState& RunClerk::job_of(Ticket job) {
  JobState& state = tables_.jobs[JobSlot{job.slot}];
  STOCKOUT_CHECK(state.generation == job.generation, "an orchestrator names a job that is gone");
  return state;
}

void RunClerk::tell(Ticket job, Step step) {
  const Due due{.stay = tables_.stay_of(JobSlot{job.slot}), .step = step};
  turn_.is_on ? turn_.told.push_back(due) : agenda_.plan(due);
}

void RunClerk::admit(Ticket job) {
  JobState& state = job_of(job);
  STOCKOUT_CHECK(state.waits_for_orchestrator() && state.orchestrators.next == number_,
                 "an orchestrator admits a job that does not wait for it");
  ++state.orchestrators.next;
  agenda_.note_progress();
  tell(job, Step::admit);
}

// Whoever holds the job back ends it there. At the word of another it is over when it would begin again.
void RunClerk::fail(Ticket job) {
  const JobState& state = job_of(job);
  const bool holds_it =
      state.orchestrators.is_to_try && state.waits_for_orchestrator() && state.orchestrators.next == number_;
  tell(job, holds_it ? Step::give_up : Step::fail);
}

void RunClerk::skip(Ticket job) {
  STOCKOUT_CHECK(!job_of(job).orchestrators.is_released, "an orchestrator skips a job that has begun");
  tell(job, Step::skip);
}

void RunClerk::evict(Ticket job) {
  STOCKOUT_CHECK(job_of(job).lease != kNoLease, "an orchestrator evicts a job that has no lease");
  tell(job, Step::evict);
}

void RunClerk::suspend(Ticket job) {
  STOCKOUT_CHECK(job_of(job).orchestrators.is_released, "an orchestrator suspends a job that waits to begin");
  tell(job, Step::suspend);
}

void RunClerk::open_legs(Ticket job, std::uint16_t legs) {
  JobOrchestrators& orchestrators = job_of(job).orchestrators;
  STOCKOUT_CHECK(orchestrators.is_to_try, "an orchestrator opens legs to a job that is in one");
  orchestrators.closed_legs = static_cast<std::uint16_t>(~legs);
}

void RunClerk::reshape(Ticket job, ShapeId shape) {
  JobState& state = job_of(job);
  STOCKOUT_CHECK(state.orchestrators.is_to_try, "an orchestrator reshapes a job that is in a leg");
  state.job.shape = shape;
}

void RunClerk::start_over(Ticket job) { tell(job, Step::start_over); }

void RunClerk::work(Ticket job) {
  STOCKOUT_CHECK(job_of(job).lease != kNoLease, "an orchestrator lets a job work that has no lease");
  agenda_.note_progress();
  tell(job, Step::work);
}

void RunClerk::begin_anew(Ticket job, bool in_place) {
  STOCKOUT_CHECK(job_of(job).lease != kNoLease, "a job begins anew that has no lease");
  tell(job, in_place ? Step::begin_anew_in_place : Step::begin_anew);
}

void RunClerk::wake(SimTime at, Token token) {
  STOCKOUT_CHECK(at >= now(), "an orchestrator would be woken in the past");
  agenda_.at_or_soon(at, Phase::wakes,
                     Event::of(EventKind::wake, number_, static_cast<std::uint32_t>(token)));
}

PoolView RunClerk::view(PoolId pool, LeaseClass lease_class) const {
  const PoolState& state = books_.pool(pool);
  return {.room = state.room(lease_class),
          .waiting = static_cast<std::int64_t>(state.queue.size()),
          .waiting_gpus = state.counts.waiting_gpus};
}

}  // namespace stockout
