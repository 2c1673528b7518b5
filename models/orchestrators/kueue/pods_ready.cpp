#include "models/orchestrators/kueue/pods_ready.h"

#include <algorithm>

namespace stockout::kueue {
namespace {

PodsReadyWait wait(const char* cause, SimTime since, SimDuration limit, SimTime now) {
  return {.cause = cause, .left = std::max(SimDuration{}, limit - (now - since))};
}

}  // namespace

std::optional<PodsReadyWait> pods_ready_wait(const Workload& workload,
                                             const std::optional<WaitForPodsReady>& rule, SimTime now) {
  if (!rule || !workload.admitted) return std::nullopt;
  const auto& ready = workload.pods_ready;
  if (ready && ready->status) return std::nullopt;
  if (!ready || ready->reason != kWaitForRecovery) {
    return wait(kWaitForStart, *workload.admitted, rule->timeout, now);
  }
  if (!rule->recovery_timeout) return std::nullopt;
  return wait(kWaitForRecovery, ready->at, *rule->recovery_timeout, now);
}

}  // namespace stockout::kueue
