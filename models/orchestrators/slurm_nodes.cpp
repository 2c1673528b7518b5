#include "models/orchestrators/slurm_nodes.h"

#include <algorithm>

namespace stockout {

SlurmNodes::SlurmNodes(const SlurmCluster& cluster) : sync_{cluster.sync} {
  for (const slurm::Node& node : cluster.configuration.nodes) nodes_.push_back({.is_elastic = node.cloud});
  for (const slurm::Partition& partition : cluster.configuration.partitions) {
    const SimDuration timeout = partition.power.value_or(cluster.configuration.settings.power).resume_timeout;
    for (const slurm::NodeIndex node : partition.nodes)
      nodes_[node].timeout = std::max(nodes_[node].timeout, timeout);
  }
}

SimTime SlurmNodes::goes_down(slurm::NodeIndex node, SimTime at) {
  const SimTime back = later(std::max(at, nodes_[node].up_by), sync_);
  down_.emplace(back, node);
  return back;
}

std::optional<slurm::NodeIndex> SlurmNodes::take_back(SimTime now) {
  if (down_.empty() || down_.begin()->first > now) return std::nullopt;
  const slurm::NodeIndex node = down_.begin()->second;
  down_.erase(down_.begin());
  return node;
}

}  // namespace stockout
