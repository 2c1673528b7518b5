#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/quota_tree.h"
#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"
#include "tools/kueue/case_value.h"

namespace stockout::kueue {

inline constexpr std::int64_t kMostPods = std::numeric_limits<std::int32_t>::max();
inline constexpr const char* kTwoOfAName = "there is another workload of this name";

// What cases are made of, as types of the orchestrator. Unset policies are written out in the file.

[[nodiscard]] ResourceFlavor read_flavor(const CaseValue& value);
[[nodiscard]] Cohort read_cohort(const CaseValue& value);
[[nodiscard]] ClusterQueue read_cluster_queue(const CaseValue& value);
[[nodiscard]] LocalQueue read_local_queue(const CaseValue& value);

/// Flavors, cohorts, cluster queues and local queues of a case, as far as it has them.
[[nodiscard]] Configuration read_configuration(const CaseValue& value);

/// Refuses, at `value`, trees of cohorts that are deeper than anybody has.
void check_depth(const Configuration& configuration, const CaseValue& value);

[[nodiscard]] std::vector<Taint> read_taints(const CaseValue& list);
[[nodiscard]] std::vector<Toleration> read_tolerations(const CaseValue& list);
[[nodiscard]] Labels read_labels(const CaseValue& value);
[[nodiscard]] std::int32_t read_priority(const CaseValue& value);
[[nodiscard]] PreemptionPolicy read_policy(const CaseValue& value);
[[nodiscard]] BorrowWithinCohort read_borrow_within_cohort(const CaseValue& value);
[[nodiscard]] QueueingStrategy read_queueing_strategy(const CaseValue& value);
[[nodiscard]] StopPolicy read_stop(const CaseValue& value);

}  // namespace stockout::kueue
