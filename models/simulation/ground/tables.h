#pragma once

#include "models/simulation/ground/run_events.h"
#include "models/simulation/ground/run_state.h"
#include "sim/engine/slots.h"

namespace stockout {

/// The records of a run that are under way. Leases are in the books, machines of partial leases with the
/// gangs.
struct Tables {
  Slots<JobState, JobSlot> jobs;
  Slots<Request, RequestSlot> requests;
  Slots<SpentTries, TriesSlot> tries;
  Slots<PastWork, PastWorkSlot> past_work;

  /// A number that no job has had.
  [[nodiscard]] std::uint32_t new_generation() { return ++generations; }
  std::uint32_t generations = 0;

  /// The job that has the lease, which is no held pool's.
  [[nodiscard]] JobState& job_of(const Lease& lease) { return jobs[lease.job]; }
  [[nodiscard]] const JobState& job_of(const Lease& lease) const { return jobs[lease.job]; }

  /// The job as it is now, for something that is void once it has moved on.
  [[nodiscard]] JobStay stay_of(JobSlot slot) const {
    const JobState& job = jobs[slot];
    return {.job = slot, .generation = job.generation, .stay = job.asks.stay};
  }
  /// The tries that the job has spent.
  [[nodiscard]] SpentTries& tries_of(JobState& job) {
    if (job.tries == kNoTries) job.tries = tries.add();
    return tries[job.tries];
  }
  /// The work of the lease before it began anew.
  [[nodiscard]] PastWork& past_of(Lease& lease) {
    if (lease.parts.past == kNoPastWork) lease.parts.past = past_work.add();
    return past_work[lease.parts.past];
  }
  /// Whether it is in the same leg still, without having left it meanwhile.
  [[nodiscard]] bool is_live(const JobStay& entry) const {
    const JobState& job = jobs[entry.job];
    return job.generation == entry.generation && job.asks.stay == entry.stay;
  }
};

}  // namespace stockout
