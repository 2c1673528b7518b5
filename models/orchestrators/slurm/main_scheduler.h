#pragma once

#include <vector>

#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/launcher.h"

namespace stockout::slurm {

/// The scheduler that goes through the queue in strict order. A job that has no room now stops its partition,
/// and keeps the nodes of that partition from all others, for the rest of the cycle.
class MainScheduler {
 public:
  MainScheduler(Cluster& cluster, Launcher& launcher) : cluster_{cluster}, launcher_{launcher} {}

  /// Goes through the queue once: all of it, or the first default_queue_depth records.
  void cycle(bool all);

 private:
  void try_record(const QueueRecord& record);
  [[nodiscard]] bool may_hold_back(const QueueRecord& record) const;

  Cluster& cluster_;
  Launcher& launcher_;
  std::vector<QueueRecord> queue_;  // as it was at the beginning
  std::vector<bool> failed_;        // by partition
  std::size_t failures_ = 0;
  NodeSet withheld_;
};

}  // namespace stockout::slurm
