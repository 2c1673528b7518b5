#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

[[nodiscard]] const Check* find_check(const Workload& workload, const std::string& name);

/// Whether a check is in that state.
[[nodiscard]] bool has_check(const Workload& workload, CheckState state);

/// Whether a check says that it must be tried again, or never.
[[nodiscard]] bool has_failed_check(const Workload& workload);

/// The checks that a workload with this admission needs: those of the queue, some for certain flavors only.
[[nodiscard]] std::vector<std::string> required_checks(const ClusterQueue& queue, const Admission& admission);

/// The workload has these checks and no others: those that are new are pending since `now`.
void keep_checks(Workload& workload, const std::vector<std::string>& names, SimTime now);

/// Whether all of them are ready.
[[nodiscard]] bool are_ready(const Workload& workload, const std::vector<std::string>& checks);

/// A check stands anew, since `now`.
void change_check(Workload& workload, const Check& check, SimTime now);

/// When checks that are to be tried again allow it: the latest of their changes plus their delays. Nothing if
/// none asks for a delay.
[[nodiscard]] std::optional<SimTime> retry_time(const std::vector<Check>& checks);

/// An eviction sets every check to pending. It counts the retry of those that asked for it and forgets the
/// retries of the others, but for those that were pending already. Delays stay.
void reset_checks(Workload& workload, SimTime now);

/// `base` doubled for every requeue but the first, at most `most`.
[[nodiscard]] SimDuration backoff(SimDuration base, SimDuration most, std::int32_t count);

}  // namespace stockout::kueue
