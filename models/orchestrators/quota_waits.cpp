#include "models/orchestrators/quota_waits.h"

#include <utility>

namespace stockout {

void QuotaWaits::end(std::uint64_t job, SimTime now) {
  const auto found = waits_.find(job);
  if (found == waits_.end() || found->second.since == kNever) return;
  found->second.waited += now - std::exchange(found->second.since, kNever);
}

// Who waits still does so until the run's end.
void QuotaWaits::write(RunRecord& record) const {
  for (const auto& [number, wait] : waits_) {
    const SimDuration open = wait.since == kNever ? SimDuration::zero() : record.end - wait.since;
    record.jobs.set_quota(number, {.wait = wait.waited + open, .refusals = wait.refusals});
  }
}

}  // namespace stockout
