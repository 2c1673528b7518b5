// The end of a job, and of a run: what is open is closed, and both sides of every book are compared.

#include <algorithm>

#include <fmt/format.h>

#include "models/execution/work.h"
#include "models/simulation/ledger_checks.h"
#include "models/simulation/run.h"

namespace stockout {

void Run::finish(JobSlot slot, FinalState state) {
  agenda_.note_progress();
  JobState& job = jobs_[slot];
  STOCKOUT_CHECK(job.first_request == kNoRequest && job.lease == kNoLease);
  agenda_.cancel(job.expiry);
  agenda_.cancel(job.next_attempt);
  agenda_.cancel(job.tick);
  if (job.record != kNotRecorded) record_outcome(job, state);
  if (!kept_.empty()) settle_kept(slot, state);
  if (job.in_group) leave_group(job);
  if (job.tries != kNoTries) tries_.remove(job.tries);
  job.generation = 0;  // voids whatever still names this slot
  jobs_.remove(slot);
}

// Work kept on earlier leases was of use if the job got done.
void Run::settle_kept(JobSlot slot, FinalState state) {
  const auto kept = kept_.extract(slot);
  if (kept.empty() || state != FinalState::completed) return;
  for (const Kept& part : kept.mapped()) {
    TimeSplit split;
    split.completed = part.time;
    record_.usage.add_split(part.key, split);
  }
}

void Run::record_outcome(const JobState& job, FinalState state) {
  mark(static_cast<std::uint64_t>(state), job.job.row, job.leg);
  if (job.is_released) tell(job, JobChange::What::over);
  const SimTime ran = job.first_running == kNever ? now() : job.first_running;
  record_.jobs.set(job.record, {.state = state,
                                .leg = job.leg,
                                .released = job.released,
                                .first_grant = job.first_grant,
                                .finished = now(),
                                .start_delay = job.ever_granted ? ran - job.first_grant : SimDuration::zero(),
                                .leased = job.leased,
                                .lost = job.lost,
                                .preemptions = job.preemptions});
  --open_recorded_;
  in_system_.add(-1, now());
  time_in_system_ms_ += (now() - job.released).count();
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
  for (const HeldState& state : held_) record_.held_since.push_back(state.since);
  record_.hold_end = world_.hold_end == HoldEnd::last_start ? last_start_ : std::max(now(), kStart);
  for (const PoolId id : strategy_.held) {
    if (!held_state(id).over) close_held(id);
    book_held(id);
  }
}

void Run::close_open_job(JobSlot slot) {
  JobState& job = jobs_[slot];
  if (job.generation == 0) return;
  for (; job.first_request != kNoRequest; ++open_at_end_) {
    if (job.record == kNotRecorded && logs_.on_tenant) log_waiting_tenant(job);
    close_request(job.first_request);
  }
  if (job.record == kNotRecorded) return;
  if (!job.is_released) {  // its group never let it go
    job.released = now();
    in_system_.add(1, now());
  }
  record_outcome(job, FinalState::unfinished);
}

void Run::close_open_jobs() {
  jobs_.visit_slots([this](JobSlot slot) { close_open_job(slot); });
  STOCKOUT_CHECK(open_recorded_ == 0);
  check_requests();
  STOCKOUT_CHECK(in_system_.level() == 0);
  STOCKOUT_CHECK(in_system_.total(now()) == time_in_system_ms_,
                 fmt::format("Little's law: {} job-ms in the system, jobs stayed {} ms",
                             in_system_.total(now()), time_in_system_ms_));
}

// Each request ended in one way: granted, refused, withdrawn, or still open at the end.
void Run::check_requests() {
  std::uint64_t ended = open_at_end_;
  for (const PoolState& pool : books_.pools()) ended += pool.requests_ended;
  STOCKOUT_CHECK(
      requests_opened_ == requests_closed_ && requests_closed_ == ended,
      fmt::format("{} requests opened, {} closed, {} granted, refused, withdrawn or open at the end",
                  requests_opened_, requests_closed_, ended));
}

void Run::total_pools() {
  check_rounding(record_.usage, rounding_);
  record_.events = agenda_.taken();
  record_.end = std::max(now(), kStart);
  record_.pools.reserve(books_.pools().size());
  for (PoolState& pool : books_.pools()) {
    if (!pool.sources.empty()) {
      pool.totals.capacity = GpuTime{pool.sources.front().capacity_area.in_window(now())};
    }
    if (pool.hosts) {
      pool.totals.host_free = GpuTime{pool.hosts->free_area().in_window(now())};
      pool.totals.host_stranded = GpuTime{pool.hosts->stranded_area().in_window(now())};
    }
    for (const SourceState& source : pool.sources) {
      if (pool.held == nullptr) pool.totals.shortage += GpuTime{source.shortage_area.in_window(now())};
    }
    for (std::size_t c = 0; c < kLeaseClasses; ++c) {
      ClassTotals& totals = pool.totals.classes[c];
      totals.leased = GpuTime{pool.leased_area[c].in_window(now())};
      totals.leased_by_tenants = GpuTime{pool.tenant_area[c].in_window(now())};
      pool.totals.leased += totals.leased;
    }
    record_.pools.push_back(pool.totals);
  }
}

}  // namespace stockout
