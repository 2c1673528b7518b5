#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/consumption/orchestrator_states.h"
#include "models/consumption/strategy.h"
#include "models/record/run_record.h"
#include "models/simulation/simulate.h"

namespace stockout {

/// Troubles of one job in a run, beside its outcome.
struct JobTroubles {
  std::uint64_t stock_outs = 0;          // at-once requests that found no room, place by place
  std::uint64_t faults = 0;              // leases, or machines of a partial one, that a fault ended
  SimTime lease_ended = SimTime::min();  // of the last lease; min: it had none
  bool ran = false;                      // on it: work had begun
  std::uint32_t bookings_expired = 0;    // leases whose machines were given back: pods did not come in time
  std::uint32_t revoked = 0;             // leases that were preempted, or broke, before work began
  JobFate last_lost = JobFate::running;  // booking_expired or revoked, if that is the end of its last lease

  void add(const LeaseRow& lease);
  void add(const PoolChange& change);
};

/// Fate of the job: how it ended, or in which state it is found when its run ends.
[[nodiscard]] JobFate fate_of(const JobOutcome& outcome, const JobTroubles& troubles);

/// The same of a lease that ended before any work was done on it: its booking expired, or it was revoked.
/// Running: neither.
[[nodiscard]] JobFate lost_by(const LeaseRow& lease);

/// As the orchestrator of the job's last leg calls it. Empty where the leg names none, where it has no word
/// for it, and of a job that never asked: nobody has heard of it.
[[nodiscard]] std::string_view orchestrator_state(const Strategy& strategy, const JobOutcome& outcome,
                                                  const JobTroubles& troubles);

/// Gathers the troubles of every job during one run: 48 bytes a job.
class JobTroublesBook {
 public:
  /// Adds this to what `logs` tell whom already. The book stays where it is until the run is over.
  void listen(Logs& logs);

  /// Of a job by its number in the run record.
  [[nodiscard]] JobTroubles of(std::uint64_t job) const {
    return job < jobs_.size() ? jobs_[job] : JobTroubles{};
  }

 private:
  JobTroubles& at(std::uint64_t job);

  std::vector<JobTroubles> jobs_;
};

}  // namespace stockout
