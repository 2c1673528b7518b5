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

SimDuration time_needed(const WorkLeft& work) {
  if (work.every == SimDuration::zero()) return work.left;
  SimDuration needed{};
  SimDuration left = work.left;
  while (left > work.every) {
    needed += work.every + work.cost;
    left -= work.every;
  }
  return needed + left;
}

Progress progress_after(const WorkLeft& work, SimDuration elapsed) {
  Progress progress;
  if (elapsed <= SimDuration::zero()) return progress;
  if (work.every == SimDuration::zero()) {
    progress.unsaved = elapsed;
    return progress;
  }
  while (elapsed >= work.every + work.cost) {
    elapsed -= work.every + work.cost;
    progress.saved += work.every;
  }
  progress.unsaved = std::min(elapsed, work.every);  // beyond `every` a checkpoint is being written
  return progress;
}

}  // namespace stockout::reference
