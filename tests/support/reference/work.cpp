#include "tests/support/reference/work.h"

#include <algorithm>

namespace stockout::reference {

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
