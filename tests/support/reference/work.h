#pragma once

#include <cstdint>

#include "models/workload/jobs.h"

namespace stockout::reference {

/// How far a lease got.
struct Progress {
  SimDuration saved{};    // by checkpoints that were completely written
  SimDuration unsaved{};  // done after the last of them
};

/// How long `work` takes at `rate` millionths of the reference's speed: whole milliseconds, rounded up.
[[nodiscard]] SimDuration time_at(std::int64_t rate, SimDuration work);

/// How much of `left` is done in `time` at that rate: rounded down, at most all of it.
[[nodiscard]] SimDuration work_in(SimDuration time, std::int64_t rate, SimDuration left);

/// From the first moment of work, of so much time on the machine, to the last: with the class's checkpoints.
[[nodiscard]] SimDuration time_needed(SimDuration work, const JobClass& job_class);

/// After `elapsed` since the first moment of work, which may be negative: not yet begun.
[[nodiscard]] Progress progress_after(SimDuration elapsed, const JobClass& job_class);

}  // namespace stockout::reference
