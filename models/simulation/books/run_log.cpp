#include "models/simulation/books/run_log.h"

namespace stockout {
namespace {

// It has come to its end, and not to that of the run.
bool has_expired(const Lease& lease, const JobState& job, SimTime now) {
  if (lease.times.ends != now) return false;
  if (lease.ending.interrupted == Interruption::none) return lease.ending.by == EndsBy::booking;
  return lease.ending.interrupted == Interruption::given_up && !job.route.strategy->deadline_rule &&
         !job.orchestrators.let_it_fail;
}

}  // namespace

void RunLog::waits_at_end(const Request& request, const JobState& job) const {
  if (job.record != kNotRecorded || !logs_.on_tenant) return;
  const Candidate& asked = *request.candidate;
  logs_.on_tenant({.pool = asked.pool, .gpus = asked.gpus, .from = job.job.submit, .until = now()});
}

void RunLog::interrupted(const Lease& lease, Interruption why, GpuCount gpus, const JobState& job) const {
  if (!logs_.on_pool) return;
  logs_.on_pool({.what = is_fault(why) ? PoolChange::What::fault : PoolChange::What::preempted,
                 .pool = lease.pool,
                 .at = now(),
                 .holder = lease.tenant ? Holder::tenant : Holder::job,
                 .lease_class = lease.lease_class,
                 .job = lease.tenant ? 0 : job.record,
                 .gpus = gpus});
}

void RunLog::lease_over(const Lease& lease, const Closed& closed, const JobState& job) const {
  if (job.record != kNotRecorded) {
    if (logs_.on_lease) tell_lease(lease, closed, job);
  } else if (logs_.on_tenant) {
    logs_.on_tenant({.pool = lease.pool, .gpus = lease.gpus, .from = job.job.submit, .until = now()});
  }
}

void RunLog::machines_refused(const HeldPool& held, LeaseClass lease_class, GpuCount gpus) const {
  if (!logs_.on_pool) return;
  logs_.on_pool({.what = PoolChange::What::refused,
                 .pool = held.landlord,
                 .at = now(),
                 .holder = Holder::held,
                 .lease_class = lease_class,
                 .gpus = gpus});
}

void RunLog::tell_job(const JobState& job, JobChange::What what) const {
  logs_.on_job({.what = what, .job = job.record, .at = now()});
}

void RunLog::tell_pool(const Request& request, const JobState& job, PoolChange::What what,
                       std::int64_t more) const {
  const bool is_tenant = job.record == kNotRecorded;
  logs_.on_pool({.what = what,
                 .pool = request.candidate->pool,
                 .at = now(),
                 .holder = is_tenant ? Holder::tenant : Holder::job,
                 .lease_class = request.leg->policy.lease_class,
                 .job = is_tenant ? 0 : job.record,
                 .count = more,
                 .gpus = request.candidate->gpus * more});
}

void RunLog::tell_lease(const Lease& lease, const Closed& closed, const JobState& job) const {
  logs_.on_lease(
      {.job = job.record,
       .attempt = job.asks.attempt,
       .leg = job.asks.leg,
       .pool = lease.pool,
       .gpus = lease.gpus,
       .granted = lease.times.granted,
       .running = closed.running,
       .ended = now(),
       .lost = closed.lost,
       .preempted = lease.ending.interrupted == Interruption::preempted || is_fault(lease.ending.interrupted),
       .fault = is_fault(lease.ending.interrupted),
       .expired = has_expired(lease, job, now())});
}

}  // namespace stockout
