// The end of a job, and of a run: what is open is closed, and both sides of every book are compared.

#include <algorithm>

#include "models/execution/work.h"
#include "models/simulation/run.h"

namespace stockout {

void Run::finish(JobSlot slot, FinalState state) {
  agenda_.note_progress();
  JobState& job = jobs_[slot];
  STOCKOUT_CHECK(job.first_request == kNoRequest && job.lease == kNoLease);
  agenda_.cancel(job.expiry);
  agenda_.cancel(job.next_attempt);
  agenda_.cancel(job.tick);
  recorder_.job_final(slot, job, state);
  if (job.in_group) leave_group(job);
  if (job.tries != kNoTries) tries_.remove(job.tries);
  job.generation = 0;  // voids whatever still names this slot
  jobs_.remove(slot);
}

// A lease still running is closed at the run's end; the work it has done counts as useful.
void Run::close_open_leases() {
  for (PoolState& pool : books_.pools()) pool.to_create.clear();
  jobs_.visit_slots([this](JobSlot slot) {
    if (jobs_[slot].generation == 0) return;
    while (jobs_[slot].lease != kNoLease) close_at_end(jobs_[slot].lease);
  });
}

void Run::close_at_end(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  STOCKOUT_CHECK(lease.ends >= now(), "a lease has outlived the end that was set for it");
  const SimTime worked_until = std::min(now(), lease.stops);
  const SimDuration ran = lease.working == kNever ? SimDuration::zero() : worked_until - lease.working;
  const JobClass& rule = world_.classes[index(jobs_[lease.job].job.job_class)];
  const Progress progress =
      interrupted_after(ran, {.every = rule.checkpoint_every, .cost = rule.checkpoint_cost});
  lease.interrupted = Interruption::none;
  close_lease(slot, progress.kept + progress.lost, SimDuration::zero(), false);
}

void Run::close_held_pools() {
  for (const HeldState& state : held_) recorder_.held_came(state.since);
  for (const PoolId id : strategy_.held) {
    if (!held_state(id).over) close_held(id);
    book_held(id);
  }
}

// How many requests of the job were open still.
std::uint64_t Run::close_open_job(JobSlot slot) {
  const JobState& job = jobs_[slot];
  if (job.generation == 0) return 0;
  std::uint64_t open = 0;
  for (; job.first_request != kNoRequest; ++open) {
    if (open == 0) recorder_.waits_at_end(requests_[job.first_request], job);
    close_request(job.first_request);
  }
  recorder_.job_final(slot, job, FinalState::unfinished);
  return open;
}

RunRecord Run::close_open_jobs() {
  std::uint64_t ended = 0;
  jobs_.visit_slots([&](JobSlot slot) { ended += close_open_job(slot); });
  for (const PoolState& pool : books_.pools()) ended += pool.requests_ended;
  books_.check_balance(now());
  return recorder_.finish(ended, books_.totals(now()));
}

}  // namespace stockout
