#include "models/orchestrators/kueue/eviction.h"

#include "models/orchestrators/kueue/admission_checks.h"

namespace stockout::kueue {

bool begin_eviction(Workload& workload, const Eviction& eviction, SimTime now) {
  WorkloadStatus& status = workload.status;
  if (status.evicted.status || !workload.has_quota()) return false;
  status.evicted = {.status = true, .reason = eviction.reason, .at = now};
  if (!eviction.preemption_reason.empty()) {
    status.preempted = {.status = true, .reason = eviction.preemption_reason, .at = now};
  }
  reset_checks(workload, now);
  return true;
}

bool put_off(Workload& workload, SimTime until, bool counts) {
  RequeueState state = workload.status.requeue.value_or(RequeueState{});
  bool changed = false;
  if (counts) {
    state.count = state.count.value_or(0) + 1;
    changed = true;
  }
  if (!state.at || *state.at < until) {
    state.at = until;
    changed = true;
  }
  if (changed) workload.status.requeue = state;
  return changed;
}

bool is_backoff_over(const Workload& workload, SimTime now) {
  if (workload.status.requeue_held) return false;
  const auto& requeue = workload.status.requeue;
  return !requeue || !requeue->at || *requeue->at <= now;
}

}  // namespace stockout::kueue
