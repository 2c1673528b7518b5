#include "models/orchestrators/kueue/pods_ready.h"

#include <algorithm>

#include "models/orchestrators/kueue/admission_checks.h"

namespace stockout::kueue {
namespace {

PodsReadyWait wait(const char* cause, SimTime since, SimDuration limit, SimTime now) {
  return {.cause = cause, .left = std::max(SimDuration{}, limit - (now - since))};
}

// Reasons of a condition of Kueue's before it knew of recovery, and of one that names none, mean the start.
bool is_starting(const std::string& reason) {
  return reason.empty() || reason == kWaitForStart || reason == "PodsReady";
}

}  // namespace

std::optional<PodsReadyWait> pods_ready_wait(const Workload& workload,
                                             const std::optional<WaitForPodsReady>& rule, SimTime now) {
  if (!rule || !workload.status.admitted) return std::nullopt;
  const auto& ready = workload.status.pods_ready;
  if (ready && ready->status) return std::nullopt;
  if (!ready || is_starting(ready->reason)) {
    return wait(kWaitForStart, *workload.status.admitted, rule->timeout, now);
  }
  if (!rule->recovery_timeout || ready->reason != kWaitForRecovery) return std::nullopt;
  return wait(kWaitForRecovery, ready->at, *rule->recovery_timeout, now);
}

bool has_late_pods(const Workload& workload, const std::optional<WaitForPodsReady>& rule, SimTime now) {
  if (!workload.has_quota() || workload.status.evicted.status) return false;
  const auto wait = pods_ready_wait(workload, rule, now);
  return wait && wait->left == SimDuration{};
}

std::optional<SimTime> requeue_time(const Workload& workload, const WaitForPodsReady& rule, SimTime now) {
  const auto& before = workload.status.requeue;
  const std::int32_t count = (before ? before->count.value_or(0) : 0) + 1;
  if (rule.backoff_limit && count > *rule.backoff_limit) return std::nullopt;
  return later(now, backoff(rule.backoff_base, rule.backoff_max, count));
}

void PodsReadyWatch::watch(const Workload& workload) {
  const auto& ready = workload.status.pods_ready;
  if (workload.uses_quota() && !(ready && ready->status)) {
    unready_.insert(workload.id);
  } else {
    unready_.erase(workload.id);
  }
}

}  // namespace stockout::kueue
