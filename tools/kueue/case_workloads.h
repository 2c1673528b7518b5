#pragma once

#include <vector>

#include "models/orchestrators/kueue/quota_tree.h"
#include "models/orchestrators/kueue/workload.h"
#include "tools/kueue/case_value.h"

namespace stockout::kueue {

/// A workload as it is at the start: with what it has, and what became of it.
[[nodiscard]] Workload read_workload(const CaseValue& value, WorkloadId id);

/// Of different names.
[[nodiscard]] std::vector<Workload> read_workloads(const std::vector<CaseValue>& list);

/// Those that hold quota at the start: each has an admission.
[[nodiscard]] std::vector<Workload> read_admitted(const std::vector<CaseValue>& list);

// Its parts.

[[nodiscard]] PodSetAdmission read_pod_set_admission(const CaseValue& value);
[[nodiscard]] Admission read_admission(const CaseValue& value);
[[nodiscard]] Condition read_condition(const CaseValue& value);
[[nodiscard]] RequeueState read_requeue_state(const CaseValue& value);
[[nodiscard]] Check read_check(const CaseValue& value);
[[nodiscard]] CheckState read_check_state(const CaseValue& value);

/// [{"flavor", "resource", "amount"}], with "queue" where that is looked at elsewhere.
[[nodiscard]] Usage read_usage(const std::vector<CaseValue>& list, QuotaTree& tree);

/// Adds the usage of a list that names queues.
void add_usage(const std::vector<CaseValue>& list, QuotaTree& tree);

}  // namespace stockout::kueue
