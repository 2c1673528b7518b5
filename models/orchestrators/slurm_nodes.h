#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "models/world/slurm_cluster.h"

namespace stockout {

/// When nodes of Slurm's that are DOWN may be used again, as slurm-gcp's slurmsync brings them back: at its
/// next look after the time in which they should have come up. Times are those of the run.
class SlurmNodes {
 public:
  explicit SlurmNodes(const SlurmCluster& cluster);

  /// Whether the node exists only while a job has it.
  [[nodiscard]] bool is_elastic(slurm::NodeIndex node) const { return nodes_[node].is_elastic; }
  /// It was asked to power up.
  void asked_up(slurm::NodeIndex node, SimTime at) { nodes_[node].up_by = later(at, nodes_[node].timeout); }
  /// It is DOWN: when it returns.
  SimTime goes_down(slurm::NodeIndex node, SimTime at);
  /// The next that returns at `now` or before, if there is one.
  [[nodiscard]] std::optional<slurm::NodeIndex> take_back(SimTime now);

 private:
  struct Node {
    bool is_elastic = false;
    SimDuration timeout{};   // from being asked to power up to being up
    SimTime up_by = kStart;  // when it was to be up, last
  };
  std::vector<Node> nodes_;
  std::set<std::pair<SimTime, slurm::NodeIndex>> down_;
  SimDuration sync_;
};

}  // namespace stockout
