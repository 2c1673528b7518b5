#include "models/supply/pool.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace stockout {

GpuCount most_gpus(const CapacitySource& source) {
  if (source.chain != nullptr) return source.chain->levels.back().gpus;
  return std::ranges::max_element(source.steps, {}, &CapacityStep::gpus)->gpus;
}

MachineCount Scaling::least_at(SimTime at) const {
  const auto after = std::ranges::upper_bound(steps, at, {}, &LeastStep::at);
  return after == steps.begin() ? least : std::prev(after)->least;
}

SimTime HeldPool::due(SimTime begin) const {
  const SimTime first = std::max(begin, from);
  if (!scaling) return first;
  const Law& law = scaling->cold_start;
  const SimDuration cold{std::llround(law.mean_below_ms(std::min(law.most, kLongestRun)))};
  if (scaling->least_at(first) > MachineCount{}) return first + cold;
  const auto raised = std::ranges::find_if(
      scaling->steps, [&](const LeastStep& step) { return step.at > first && step.least > MachineCount{}; });
  return raised == scaling->steps.end() ? kNever : raised->at + cold;
}

}  // namespace stockout
