#pragma once

#include <optional>
#include <string>

#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

inline constexpr const char* kWaitForStart = "WaitForStart";
inline constexpr const char* kWaitForRecovery = "WaitForRecovery";

/// What an admitted workload without ready pods waits for, and how long it still may.
struct PodsReadyWait {
  const char* cause = nullptr;
  SimDuration left{};
};

/// Nothing if it does not wait, or may wait for ever.
[[nodiscard]] std::optional<PodsReadyWait> pods_ready_wait(const Workload& workload,
                                                           const std::optional<WaitForPodsReady>& rule,
                                                           SimTime now);

}  // namespace stockout::kueue
