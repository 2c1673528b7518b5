#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "models/workload/trace.h"

namespace stockout {

/// What a row of a trace says about being one of several attempts of a job.
struct AttemptMark {
  static constexpr std::uint32_t kNoJob = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t job = kNoJob;  // the job it names, by number
  bool is_unfinished = false;  // its outcome is one after which the user tried again
  std::uint64_t line = 0;      // of the file
};

/// Which rows of a sorted trace are attempts of one job: by row, the row of the job's next attempt, or its
/// own number where there is none. Rows that name the same job follow one another. Others follow a row of the
/// same user, class, shape and group that is_unfinished, if they were submitted not before it and at most
/// `within` after its end (submission, recorded wait and run): the oldest such row that nothing follows yet.
[[nodiscard]] std::vector<std::uint32_t> next_attempts(const Trace& trace,
                                                       const std::vector<AttemptMark>& marks,
                                                       SimDuration within);

}  // namespace stockout
