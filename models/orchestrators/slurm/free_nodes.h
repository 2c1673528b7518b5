#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"
#include "models/orchestrators/slurm/node_set.h"

namespace stockout::slurm {

/// Part of each of its nodes that a job takes.
struct Shape {
  int nodes = 1;
  int cpus = 0;  // 0: at least one
  int gpus = 0;
  bool whole = false;  // all of the node, whatever it has

  [[nodiscard]] int least_cpus() const { return cpus > 0 ? cpus : 1; }
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

/// Free parts of the nodes of a cluster, whether or not they are up.
class FreeNodes {
 public:
  explicit FreeNodes(const std::vector<Node>& nodes);

  /// Whether a job of that shape fits on the node beside those that are there.
  [[nodiscard]] bool fits(NodeIndex node, const Shape& shape) const {
    if (shape.whole)
      return jobs_[node] == 0 && cpus_[node] >= shape.least_cpus() && gpus_[node] >= shape.gpus;
    return cpus_[node] >= shape.least_cpus() && gpus_[node] >= shape.gpus;
  }
  void take(const std::vector<NodeIndex>& nodes, const Shape& shape, const std::vector<Node>& all);
  void give(const std::vector<NodeIndex>& nodes, const Shape& shape, const std::vector<Node>& all);

  /// The same of one of the nodes.
  void give(NodeIndex node, const Shape& shape, const Node& has);

  /// Those of `among` on which the shape fits.
  void select(const NodeSet& among, const Shape& shape, NodeSet& fitting) const;

  /// CPUs that a job of the shape could have on the node.
  [[nodiscard]] int usable_cpus(NodeIndex node, const Shape& shape) const {
    return shape.cpus > 0 ? shape.cpus : cpus_[node];
  }
  [[nodiscard]] const NodeSet& idle() const { return idle_; }
  /// Nodes with a CPU that is free.
  [[nodiscard]] const NodeSet& open() const { return open_; }
  [[nodiscard]] int jobs_on(NodeIndex node) const { return jobs_[node]; }

 private:
  std::vector<std::int32_t> cpus_;  // free
  std::vector<std::int32_t> gpus_;
  std::vector<std::int32_t> jobs_;  // how many are there
  NodeSet idle_;
  NodeSet open_;
};

}  // namespace stockout::slurm
