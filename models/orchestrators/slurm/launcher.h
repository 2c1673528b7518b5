#pragma once

#include <vector>

#include "models/orchestrators/slurm/alarms.h"
#include "models/orchestrators/slurm/cluster.h"

namespace stockout::slurm {

/// Starts jobs, and has victims make way for them.
class Launcher {
 public:
  Launcher(Cluster& cluster, Alarms& alarms) : cluster_{cluster}, alarms_{alarms} {}

  /// The job gets nodes of `among` if there is room, else it may preempt. Whether it has its nodes.
  [[nodiscard]] bool try_start(JobId id, PartitionIndex partition, const NodeSet& among);
  /// The job, which waits, gets these nodes. It runs at once if they are up.
  void start(JobId id, PartitionIndex partition, std::vector<NodeIndex> nodes, SimTime at);
  /// All its nodes are up: it runs, and its time limit counts from `at`.
  void run(JobId id, SimTime at);
  /// All its nodes are up: it runs once Slurm sees that, a batch job at the next look at time limits.
  void run_when_seen(JobId id);

 private:
  // At `at` or later.
  [[nodiscard]] SimTime next_look(SimTime at) const;
  void preempt(JobId id, PartitionIndex partition, const NodeSet& among);

  Cluster& cluster_;
  Alarms& alarms_;
};

}  // namespace stockout::slurm
