// What a caller of a run is told of while it happens.

#include "models/simulation/run.h"

namespace stockout {

void Run::log_lease(const Lease& lease, const JobState& job, const Closed& closed) const {
  logs_.on_lease(
      {.job = job.record,
       .attempt = job.attempt,
       .leg = job.leg,
       .pool = lease.pool,
       .gpus = lease.gpus,
       .granted = lease.granted,
       .running = closed.running,
       .ended = now(),
       .lost = closed.lost,
       .preempted = lease.interrupted == Interruption::preempted || lease.interrupted == Interruption::fault,
       .fault = lease.interrupted == Interruption::fault});
}

void Run::log_waiting_tenant(const JobState& job) const {
  const Candidate& asked = *requests_[job.first_request].candidate;
  logs_.on_tenant({.pool = asked.pool, .gpus = asked.gpus, .from = job.job.submit, .until = now()});
}

void Run::log_request(const Request& request, PoolChange::What what, std::int64_t more) const {
  const std::uint64_t job = jobs_[request.job].record;
  const bool is_tenant = job == kNotRecorded;
  logs_.on_pool({.what = what,
                 .pool = request.candidate->pool,
                 .at = now(),
                 .holder = is_tenant ? Holder::tenant : Holder::job,
                 .lease_class = request.leg->policy.lease_class,
                 .job = is_tenant ? 0 : job,
                 .count = more,
                 .gpus = request.candidate->gpus * more});
}

// A lease, or machines of it, end since they were taken back.
void Run::log_interrupted(const Lease& lease, Interruption why, GpuCount gpus) const {
  const std::uint64_t job = jobs_[lease.job].record;
  logs_.on_pool({.what = why == Interruption::fault ? PoolChange::What::fault : PoolChange::What::preempted,
                 .pool = lease.pool,
                 .at = now(),
                 .holder = lease.tenant ? Holder::tenant : Holder::job,
                 .lease_class = lease.lease_class,
                 .job = lease.tenant ? 0 : job,
                 .gpus = gpus});
}

// A held pool has asked its landlord in vain.
void Run::tell_held_refused(const HeldPool& held, LeaseClass lease_class, GpuCount gpus) const {
  if (!logs_.on_pool) return;
  logs_.on_pool({.what = PoolChange::What::refused,
                 .pool = held.landlord,
                 .at = now(),
                 .holder = Holder::held,
                 .lease_class = lease_class,
                 .gpus = gpus});
}

}  // namespace stockout
