#pragma once

#include <cstddef>
#include <string>

#include "models/orchestrators/kueue/workload.h"
#include "models/orchestrators/kueue_entries.h"
#include "models/world/kueue_cluster.h"

namespace stockout {

/// The flavor that a member of a workload with quota was given.
[[nodiscard]] const std::string& flavor_of(const kueue::Workload& own, std::size_t member);

/// A pending check of a workload with quota: an open request for capacity in the flavor of that member. Null:
/// there is none.
[[nodiscard]] const kueue::Check* pending_check(const KueueCluster& cluster, const kueue::Workload& own,
                                                std::size_t member);

/// A pending check that none of the workload's jobs lacks a lease for. Null: there is none.
[[nodiscard]] const kueue::Check* met_check(const KueueCluster& cluster, const kueue::Workload& own,
                                            const KueueEntry& entry);

}  // namespace stockout
