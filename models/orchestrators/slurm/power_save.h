#pragma once

#include <optional>
#include <vector>

#include "models/orchestrators/slurm/alarms.h"
#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/job_life.h"
#include "models/orchestrators/slurm/launcher.h"

namespace stockout::slurm {

/// Nodes that are switched on for jobs and off when idle (cloud nodes), and nodes that fail.
class PowerSaving {
 public:
  PowerSaving(Cluster& cluster, Alarms& alarms, Launcher& launcher, JobLife& jobs);

  /// A job has these nodes: those that are off are powered up.
  void power_up_for(JobId id);
  /// A job has left these nodes: those that are idle may be powered down, at once or after a while.
  void left(const std::vector<NodeIndex>& nodes);
  /// The node is up: jobs that waited for it run once all their nodes are.
  void came_up(NodeIndex node);
  /// The node is DOWN; its jobs wait again, or fail. `back`: when it may be used again, off; kNever: not
  /// before restore().
  void set_down(NodeIndex node, SimTime back);
  /// The node may be used again: up, or off if it is a cloud node.
  void restore(NodeIndex node);
  /// An alarm about a node has gone off.
  void ring(const Alarm& alarm);

 private:
  enum class State : std::uint8_t { up, off, powering_up, powering_down, down };

  void become(NodeIndex node, State state);
  void power_down(NodeIndex node);
  [[nodiscard]] PowerSave rules_of(NodeIndex node) const;

  Cluster& cluster_;
  Alarms& alarms_;
  Launcher& launcher_;
  JobLife& jobs_;
  std::vector<State> states_;
  std::vector<SimTime> since_;  // of the state; for nodes that are up also: since they are idle
};

}  // namespace stockout::slurm
