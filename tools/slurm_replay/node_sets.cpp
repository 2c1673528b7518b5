#include "tools/slurm_replay/node_sets.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace stockout::slurm {
namespace {

auto kind_of(const ClusterFile& cluster, NodeIndex number) {
  const Node& node = cluster.configuration.nodes[number];
  return std::tuple{node.cloud, node.cpus, node.gpus, std::string_view{cluster.node_lines[number].gpu_type}};
}

std::string start_in_common(const Configuration& cluster, const std::vector<NodeIndex>& nodes) {
  std::string_view common = cluster.nodes[nodes.front()].name;
  for (const NodeIndex node : nodes) {
    const std::string_view name = cluster.nodes[node].name;
    common =
        common.substr(0, static_cast<std::size_t>(std::ranges::mismatch(common, name).in1 - common.begin()));
  }
  for (const std::string_view tail : {"0123456789", "-_."})
    common = common.substr(0, common.find_last_not_of(tail) + 1);
  return common.empty() ? "nodes" : std::string{common};
}

class Grouping {
 public:
  explicit Grouping(const ClusterFile& cluster)
      : cluster_{cluster}, owner_(cluster.configuration.nodes.size()) {
    std::iota(owner_.begin(), owner_.end(), NodeIndex{});
  }

  NodeSets group() {
    const auto& partitions = cluster_.configuration.partitions;
    for (const Partition& partition : partitions) {
      if (is_alike(partition.nodes)) join(partition.nodes);
    }
    for (const NodeIndex node : in_use_) joined_[root_of(node)].push_back(node);
    for (const Partition& partition : partitions) result_.of_partition.push_back(place_of(partition));
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_alike(const std::vector<NodeIndex>& nodes) const {
    return !nodes.empty() && std::ranges::all_of(nodes, [&](NodeIndex node) {
      return kind_of(cluster_, node) == kind_of(cluster_, nodes.front());
    });
  }

  // Nodes that are passed on the way point nearer to it from then on.
  NodeIndex root_of(NodeIndex node) {
    while (owner_[node] != node) {
      owner_[node] = owner_[owner_[node]];
      node = owner_[node];
    }
    return node;
  }

  void join(const std::vector<NodeIndex>& nodes) {
    for (const NodeIndex node : nodes) {
      const NodeIndex a = root_of(nodes.front());
      const NodeIndex b = root_of(node);
      owner_[std::max(a, b)] = std::min(a, b);
      in_use_.insert(node);
    }
  }

  std::optional<PlaceInSet> leave_out(const Partition& partition, std::string_view why) {
    result_.left_out.push_back(fmt::format("partition {}: {}", partition.name, why));
    return std::nullopt;
  }

  std::optional<PlaceInSet> place_of(const Partition& partition) {
    if (partition.nodes.empty()) return leave_out(partition, "it has no nodes");
    if (!is_alike(partition.nodes))
      return leave_out(partition, "its nodes are of several kinds; in a scenario they are of one set");
    const NodeIndex root = root_of(partition.nodes.front());
    const std::vector<NodeIndex>& all = joined_.at(root);
    const auto begin = std::ranges::lower_bound(all, partition.nodes.front());
    const auto first = static_cast<std::size_t>(begin - all.begin());
    const bool in_a_row = all.size() - first >= partition.nodes.size() &&
                          std::equal(partition.nodes.begin(), partition.nodes.end(), begin);
    if (!in_a_row)
      return leave_out(partition, "its nodes are in no row: between them stand others of its node set");
    return PlaceInSet{.set = set_of(root, all), .first = first};
  }

  std::size_t set_of(NodeIndex root, const std::vector<NodeIndex>& nodes) {
    const auto [place, is_new] = numbers_.emplace(root, result_.sets.size());
    if (is_new)
      result_.sets.push_back(
          {.name = unique_name(start_in_common(cluster_.configuration, nodes)), .nodes = nodes});
    return place->second;
  }

  // The first is "n", the others "n-2", "n-3", ...
  std::string unique_name(const std::string& start) {
    std::string name = start;
    int& last = last_number_.try_emplace(start, 1).first->second;
    while (!names_.insert(name).second) name = fmt::format("{}-{}", start, ++last);
    return name;
  }

  const ClusterFile& cluster_;
  std::vector<NodeIndex> owner_;                             // by node: another of its set, or itself
  std::set<NodeIndex> in_use_ = {};                          // nodes of partitions that a scenario can have
  std::map<NodeIndex, std::vector<NodeIndex>> joined_ = {};  // by root: who belongs together, in order
  std::map<NodeIndex, std::size_t> numbers_ = {};            // by root: of its set
  std::set<std::string> names_ = {};
  std::map<std::string, int> last_number_ = {};  // by beginning of the name
  NodeSets result_ = {};
};

}  // namespace

NodeSets group_nodes(const ClusterFile& cluster) { return Grouping{cluster}.group(); }

}  // namespace stockout::slurm
