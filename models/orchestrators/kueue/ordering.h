#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// Reasons of evictions, as Kueue writes them.
inline constexpr const char* kPreempted = "Preempted";
inline constexpr const char* kPodsReadyTimeout = "PodsReadyTimeout";
inline constexpr const char* kAdmissionCheck = "AdmissionCheck";
inline constexpr const char* kDeactivated = "Deactivated";
inline constexpr const char* kClusterQueueStopped = "ClusterQueueStopped";
inline constexpr const char* kLocalQueueStopped = "LocalQueueStopped";

/// Reasons of preemptions.
inline constexpr const char* kInClusterQueue = "InClusterQueue";
inline constexpr const char* kInCohortReclamation = "InCohortReclamation";
inline constexpr const char* kInCohortReclaimWhileBorrowing = "InCohortReclaimWhileBorrowing";
inline constexpr const char* kInCohortFairSharing = "InCohortFairSharing";

/// Its priority, with the boost of its annotation where that counts. A boost that is no whole number is none.
[[nodiscard]] std::int64_t effective_priority(const Workload& workload, const Gates& gates);

/// When it counts as queued: its creation, or its eviction where pods were late or an admission check failed.
[[nodiscard]] SimTime queue_order_time(const Workload& workload, const Settings& settings);

/// Whether a policy lets `preemptor` evict `candidate`.
[[nodiscard]] bool may_preempt(const Workload& preemptor, const Workload& candidate, PreemptionPolicy policy,
                               const Settings& settings);

/// A candidate for eviction and the usage of its local queue, where admission fair sharing counts it.
struct Candidate {
  const Workload* workload = nullptr;
  std::optional<double> local_queue_usage = std::nullopt;
};

/// Whether `a` is evicted before `b` by a preemptor in `queue`.
[[nodiscard]] bool is_evicted_first(const Candidate& a, const Candidate& b, const std::string& queue,
                                    const Gates& gates);

}  // namespace stockout::kueue
