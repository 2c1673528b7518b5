#pragma once

#include <cstdint>

#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/run_state.h"
#include "models/simulation/simulate.h"

namespace stockout {

/// Times of a lease that is over.
struct Closed {
  TimeSplit split;
  SimDuration lost;
  SimTime running;  // work began; now, if it never did
};

/// Tells those who asked for it (Logs) what happens, now. The books tell the log of pools what is leased.
class RunLog {
 public:
  /// Both outlive it.
  RunLog(const Logs& logs, const Agenda& agenda) : logs_{logs}, agenda_{agenda} {}

  /// Whether anybody asks for jobs, leases, tenants or pools.
  [[nodiscard]] bool is_on() const {
    return logs_.on_job || logs_.on_lease || logs_.on_tenant || logs_.on_pool;
  }

  void job(const JobState& job, JobChange::What what) const {
    if (logs_.on_job && job.record != kNotRecorded) tell_job(job, what);
  }
  /// The pool's queue, refusals and expiries.
  void request(const Request& request, const JobState& job, PoolChange::What what, std::int64_t more) const {
    if (logs_.on_pool) tell_pool(request, job, what, more);
  }
  /// A tenant's request is still open when the run ends.
  void waits_at_end(const Request& request, const JobState& job) const;
  /// The lease ends since it was preempted, or machines of it with so many GPUs do.
  void interrupted(const Lease& lease, Interruption why, GpuCount gpus, const JobState& job) const;
  void lease_over(const Lease& lease, const Closed& closed, const JobState& job) const;
  /// A held pool gets no machines from its landlord.
  void machines_refused(const HeldPool& held, LeaseClass lease_class, GpuCount gpus) const;

 private:
  void tell_job(const JobState& job, JobChange::What what) const;
  void tell_pool(const Request& request, const JobState& job, PoolChange::What what, std::int64_t more) const;
  void tell_lease(const Lease& lease, const Closed& closed, const JobState& job) const;
  [[nodiscard]] SimTime now() const { return agenda_.now(); }

  const Logs& logs_;
  const Agenda& agenda_;
};

}  // namespace stockout
