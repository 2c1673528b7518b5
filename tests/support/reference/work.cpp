#include "tests/support/reference/work.h"

#include <algorithm>

namespace stockout::reference {

SimDuration time_at(std::int64_t rate, SimDuration work) {
  constexpr std::int64_t kMillion = 1'000'000;
  return SimDuration{(work.count() * kMillion + rate - 1) / rate};
}

SimDuration work_in(SimDuration time, std::int64_t rate, SimDuration left) {
  constexpr std::int64_t kMillion = 1'000'000;
  return std::min(left, SimDuration{time.count() * rate / kMillion});
}

/// A checkpoint is written after every part but the last.
SimDuration time_needed(SimDuration work, const JobClass& job_class) {
  SimDuration needed = work;
  if (job_class.checkpoint_every == SimDuration::zero()) return needed;
  for (; work > job_class.checkpoint_every; work -= job_class.checkpoint_every) {
    needed += job_class.checkpoint_cost;
  }
  return needed;
}

Progress progress_after(SimDuration elapsed, const JobClass& job_class) {
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
