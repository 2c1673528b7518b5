#include "models/orchestrators/kueue/partial_admission.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace stockout::kueue {
namespace {

std::int64_t spare_pods(const PodSet& pod_set) {
  return std::max<std::int64_t>(0, pod_set.count - pod_set.min_count.value_or(pod_set.count));
}

// Each pod set gives up `step` of `steps` parts of what it can spare.
std::vector<std::int64_t> reduced(const Workload& workload, std::int64_t step, std::int64_t steps) {
  __extension__ using Wide = __int128;
  std::vector<std::int64_t> counts;
  for (const PodSet& pod_set : workload.spec.pod_sets) {
    counts.push_back(pod_set.count - static_cast<std::int64_t>(Wide{spare_pods(pod_set)} * step / steps));
  }
  return counts;
}

}  // namespace

bool is_admissible(const Nomination& nomination) {
  const Mode mode = nomination.assignment.mode();
  return mode == Mode::fit || (mode == Mode::preempt && !nomination.victims.empty());
}

std::optional<Nomination> largest_admissible(
    const Workload& workload, const std::function<Nomination(const std::vector<std::int64_t>&)>& assign) {
  std::int64_t steps = 0;
  for (const PodSet& pod_set : workload.spec.pod_sets) steps += spare_pods(pod_set);
  if (steps == 0) return std::nullopt;
  std::optional<Nomination> best;
  std::int64_t low = 0;
  std::int64_t high = steps + 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    Nomination found = assign(reduced(workload, middle, steps));
    if (is_admissible(found)) {
      best = std::move(found);
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return best;
}

}  // namespace stockout::kueue
