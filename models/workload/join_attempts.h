#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "models/workload/no_job.h"
#include "models/workload/trace.h"

namespace stockout {

/// Mark of a row of a trace as one of several attempts of a job.
struct AttemptMark {
  static constexpr std::uint32_t kNoJob = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kServed = kNoJob;

  std::uint32_t job = kNoJob;        // the job it names, by number
  std::uint32_t unserved = kServed;  // of Trace::unserved, if it never started
  std::uint64_t id = 0;              // a hash of what it names; 0: nothing
  std::uint64_t line = 0;            // of the file
  NoJob why = NoJob::none;           // it cannot be simulated by itself
  bool is_unfinished = false;        // its outcome is one after which the user tried again
};

/// The rows of a job, which are its attempts.
struct JobRows {
  static constexpr std::uint32_t kNone = AttemptMark::kNoJob;

  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t started = kNone;  // the first that ran
  std::uint32_t count = 1;
};

/// Which rows of a sorted trace are attempts of one job: the jobs in order of their first rows. Rows that
/// name the same job follow one another. Others follow a row of the same user, class, shape and group that
/// is_unfinished, if they were submitted not before it and at most `within` after its end (submission,
/// recorded wait and run): the oldest such row that nothing follows yet.
[[nodiscard]] std::vector<JobRows> jobs_of_attempts(const Trace& trace, const std::vector<AttemptMark>& marks,
                                                    SimDuration within);

}  // namespace stockout
