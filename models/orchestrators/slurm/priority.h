#pragma once

#include <cstdint>
#include <vector>

#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/fair_tree.h"

namespace stockout::slurm {

/// Priorities of waiting jobs: priority/basic, or the weighted sum of priority/multifactor.
class PriorityCalculator {
 public:
  PriorityCalculator(const Cluster& cluster, const FairTree& shares);

  /// Of a job in a partition at a time that is over or now: from 1, or 0 if it is held.
  [[nodiscard]] std::uint32_t of(const Job& job, PartitionIndex partition, SimTime at) const;
  /// Whether priorities change as time goes on.
  [[nodiscard]] bool changes() const;

 private:
  [[nodiscard]] double age_factor(const Job& job, SimTime at) const;
  [[nodiscard]] double size_factor(const Job& job, PartitionIndex partition) const;

  const Cluster& cluster_;
  const FairTree& shares_;
  std::int64_t cpus_ = 0;  // of the cluster
  int highest_job_factor_ = 1;
  std::uint32_t highest_qos_ = 0;
};

}  // namespace stockout::slurm
