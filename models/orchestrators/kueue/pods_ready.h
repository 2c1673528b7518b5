#pragma once

#include <optional>
#include <set>

#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

inline constexpr const char* kWaitForStart = "WaitForStart";
inline constexpr const char* kWaitForRecovery = "WaitForRecovery";

/// Wait of an admitted workload without ready pods: for what, and how long it still may.
struct PodsReadyWait {
  const char* cause = nullptr;
  SimDuration left{};
};

/// Nothing if it does not wait, or may wait for ever.
[[nodiscard]] std::optional<PodsReadyWait> pods_ready_wait(const Workload& workload,
                                                           const std::optional<WaitForPodsReady>& rule,
                                                           SimTime now);

/// Whether its pods are late: it waits, is not being evicted yet, and no time is left.
[[nodiscard]] bool has_late_pods(const Workload& workload, const std::optional<WaitForPodsReady>& rule,
                                 SimTime now);

/// When a workload whose pods are late may be tried again. Nothing if it was tried too often.
[[nodiscard]] std::optional<SimTime> requeue_time(const Workload& workload, const WaitForPodsReady& rule,
                                                  SimTime now);

/// Which workloads hold quota and have no ready pods, be it that they still wait for a check.
class PodsReadyWatch {
 public:
  /// The workload may have changed.
  void watch(const Workload& workload);
  [[nodiscard]] bool are_all_ready() const { return unready_.empty(); }

 private:
  std::set<WorkloadId> unready_;
};

}  // namespace stockout::kueue
