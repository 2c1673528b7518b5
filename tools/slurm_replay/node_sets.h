#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/slurm_replay/conf_reader.h"

namespace stockout::slurm {

/// Nodes of one kind, in the order of the file, which some partitions have among themselves.
struct KindOfNodes {
  std::string name;  // what the names of its nodes begin with; unique
  std::vector<NodeIndex> nodes;

  [[nodiscard]] NodeIndex front() const { return nodes.front(); }
};

/// Where the nodes of a partition stand in a set.
struct PlaceInSet {
  std::size_t set = 0;
  std::size_t first = 0;  // from 0
};

/// A cluster's nodes as a scenario has them: each partition takes nodes of one set, in a row.
struct NodeSets {
  std::vector<KindOfNodes> sets;
  std::vector<std::optional<PlaceInSet>> of_partition;  // none: a scenario cannot have it
  std::vector<std::string> left_out;                    // which partitions those are, and why
};

/// Partitions with nodes in common have them of one set. A partition is left out if it has no nodes, nodes of
/// several kinds (CPUs, GPUs, type of GPU, on or off), or nodes that are in no row of their set.
[[nodiscard]] NodeSets group_nodes(const ClusterFile& cluster);

}  // namespace stockout::slurm
