#pragma once

#include <algorithm>
#include <cstdint>

#include "models/workload/jobs.h"

// Work, and the checkpoints that save it.
namespace stockout::reference {

/// The greatest whole number not above a / b, for b above 0.
inline std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// How far a lease got.
struct Progress {
  SimDuration saved{};    // by checkpoints that were completely written
  SimDuration unsaved{};  // done after the last of them
};

/// R7.8: how long `work` takes at `rate` millionths of the reference's speed: whole milliseconds, rounded up.
inline SimDuration time_at(std::int64_t rate, SimDuration work) {
  return SimDuration{-floor_of(-work.count() * 1'000'000, rate)};
}

/// R7.15: how much of `left` is done in `time` at that rate: rounded down, at most all of it.
inline SimDuration work_in(SimDuration time, std::int64_t rate, SimDuration left) {
  return std::min(left, SimDuration{time.count() * rate / 1'000'000});
}

/// R7.10, R7.11: from the first moment of work, of so much time on the machine, to the last. A checkpoint is
/// written after every part but the last.
inline SimDuration time_needed(SimDuration work, const JobClass& job_class) {
  SimDuration needed = work;
  if (job_class.checkpoint_every == SimDuration::zero()) return needed;
  for (; work > job_class.checkpoint_every; work -= job_class.checkpoint_every) {
    needed += job_class.checkpoint_cost;
  }
  return needed;
}

/// R7.13, R7.14: after `elapsed` since the first moment of work, which may be negative: not yet begun.
inline Progress progress_after(SimDuration elapsed, const JobClass& job_class) {
  const SimDuration every = job_class.checkpoint_every;
  if (elapsed <= SimDuration::zero()) return {};
  if (every == SimDuration::zero()) return {.saved = {}, .unsaved = elapsed};
  SimDuration saved{};
  for (; elapsed >= every + job_class.checkpoint_cost; elapsed -= every + job_class.checkpoint_cost) {
    saved += every;
  }
  return {.saved = saved,
          .unsaved = std::min(elapsed, every)};  // beyond `every` a checkpoint is being written
}

}  // namespace stockout::reference
