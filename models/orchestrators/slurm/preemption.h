#pragma once

#include <optional>
#include <vector>

#include "models/orchestrators/slurm/job.h"
#include "models/orchestrators/slurm/node_set.h"

namespace stockout::slurm {

struct Cluster;

/// Steps that the job's quality of service stands above others that it may preempt, directly or through
/// others; 0 unless PreemptType is preempt/qos. In the queue who may preempt stands before whom it may.
[[nodiscard]] int preemption_level(const Configuration& configuration, const Job& job);

/// Mode by which a victim is preempted: its partition's mode, its quality of service's, or the cluster's.
[[nodiscard]] PreemptMode preempt_mode_of(const Configuration& configuration, const Job& victim);

/// Whether a job that wants to run in `partition` may preempt another, which runs.
[[nodiscard]] bool may_preempt(const Configuration& configuration, const Job& job, PartitionIndex partition,
                               const Job& victim);

/// Running jobs on nodes of `among` that the job may preempt, those that give way first before the others:
/// the lowest tier or quality of service, then the fewest nodes; or the latest start.
[[nodiscard]] std::vector<JobId> preemptable(const Cluster& cluster, JobId id, PartitionIndex partition,
                                             const NodeSet& among);

/// Whom the job preempts to run on nodes of `among`; none if that would not do.
[[nodiscard]] std::optional<std::vector<JobId>> find_victims(Cluster& cluster, JobId id,
                                                             PartitionIndex partition, const NodeSet& among);

}  // namespace stockout::slurm
