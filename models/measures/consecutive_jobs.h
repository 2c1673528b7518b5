#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "models/record/run_record.h"
#include "models/workload/jobs.h"
#include "sim/core/time.h"

namespace stockout {

/// Which jobs follow another of the same user and class soon after its end: those for which capacity that is
/// given back with each job may be gone. Memory: a number for each user and class, and one for each of their
/// jobs that is open at the same time.
class ConsecutiveJobs {
 public:
  /// `between`: the longest time from the end of a job to the submission of the one that follows it.
  explicit ConsecutiveJobs(SimDuration between) : between_{between} {}

  /// Whether the job follows one that was added before. Jobs are added in the order of their submission.
  [[nodiscard]] bool add(const Job& job, const JobOutcome& outcome);

 private:
  struct Stream {
    std::optional<SimTime> last_end;  // of jobs that ended by the last submission
    std::priority_queue<SimTime, std::vector<SimTime>, std::greater<>> ends;  // of the others
  };

  SimDuration between_;
  std::unordered_map<std::uint64_t, Stream> streams_;  // by user and class
};

}  // namespace stockout
