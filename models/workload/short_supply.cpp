#include "models/workload/short_supply.h"

#include <algorithm>
#include <cstddef>

namespace stockout {

double ShortSupply::share() const {
  return told == 0 ? 0 : static_cast<double>(never_started + waited_long) / static_cast<double>(told);
}

ShortSupply short_supply(const Trace& trace, std::int64_t from_ms, std::int64_t until_ms) {
  const auto is_within = [&](std::int64_t at_ms) { return at_ms >= from_ms && at_ms < until_ms; };
  ShortSupply found;
  for (std::size_t i = 0; i < trace.recorded_wait.size(); ++i) {
    const SimDuration wait = trace.recorded_wait[i];
    if (!is_within(trace.submit_ms[i]) || wait < SimDuration::zero()) continue;
    ++found.told;
    if (wait > std::max(trace.work[i], kLongWait)) ++found.waited_long;
  }
  for (const UnservedJob& job : trace.unserved.jobs) {
    if (is_within(job.submit_ms)) ++found.never_started;
  }
  found.told += found.never_started;
  return found;
}

}  // namespace stockout
