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
  const auto& requeue = workload.status.requeue;
  return !requeue || (!requeue->is_held && (!requeue->at || *requeue->at <= now));
}

std::optional<SimTime> execution_end(const Workload& workload) {
  const auto& most = workload.spec.max_execution;
  const WorkloadStatus& status = workload.status;
  if (!most || !status.admitted || status.evicted.status) return std::nullopt;
  return later(*status.admitted, *most - status.executed);
}

}  // namespace stockout::kueue
