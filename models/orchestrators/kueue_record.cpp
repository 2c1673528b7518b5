#include "models/orchestrators/kueue_record.h"

#include <utility>

namespace stockout {

void KueueRecord::end(std::uint64_t job, SimTime now) {
  const auto found = outcomes_.find(job);
  if (found == outcomes_.end() || found->second.since == kNever) return;
  found->second.waited += now - std::exchange(found->second.since, kNever);
}

// Who waits still does so until the run's end.
void KueueRecord::write(RunRecord& record) const {
  for (const auto& [number, outcome] : outcomes_) {
    const SimDuration open = outcome.since == kNever ? SimDuration::zero() : record.end - outcome.since;
    const KueueOutcome all{.wait = outcome.waited + open, .evictions = outcome.evictions};
    if (all != KueueOutcome{}) record.jobs.set_kueue(number, all);
  }
  record.kueue_evictions = evictions_;
}

}  // namespace stockout
