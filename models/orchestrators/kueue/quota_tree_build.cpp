// How a quota tree is made of a configuration.

#include <algorithm>
#include <set>
#include <utility>

#include "models/orchestrators/kueue/quota_tree.h"
#include "sim/core/check.h"

namespace stockout::kueue {
namespace {

enum class Visit : std::uint8_t { open, on_path, done };

}  // namespace

void QuotaTree::rebuild(const Configuration& configuration) {
  nodes_.clear();
  queues_.clear();
  cohorts_.clear();
  add_cohorts(configuration);
  add_queues(configuration);
  cut_cycles();
  link();
  for (const auto& [name, id] : queues_) {
    if (!parent(id)) sum_up(id);
  }
  for (const auto& [name, id] : cohorts_) {
    if (!parent(id)) sum_up(id);
  }
  for (const auto& [name, id] : cohorts_) lend(id);
}

NodeId QuotaTree::add_node(Node node) {
  const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  node.root = id;
  nodes_.push_back(std::move(node));
  return id;
}

void QuotaTree::take_quotas(Node& node, const std::vector<ResourceGroup>& groups) {
  for (const ResourceGroup& group : groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const auto& [resource, quota] : flavor.quotas) {
        node.quotas.insert_or_assign(static_cast<std::uint32_t>(cell(flavor.flavor, resource)), quota);
      }
    }
  }
}

// Those that are only named by a queue or a cohort are there too.
void QuotaTree::add_cohorts(const Configuration& configuration) {
  std::set<std::string> names;
  for (const auto& [name, cohort] : configuration.cohorts) names.insert({name, cohort.parent});
  for (const auto& [name, queue] : configuration.cluster_queues) names.insert(queue.cohort);
  names.erase("");
  for (const std::string& name : names) {
    Node node{.name = name};
    const auto described = configuration.cohorts.find(name);
    if (described != configuration.cohorts.end()) {
      node.fair_weight = described->second.fair_weight;
      take_quotas(node, described->second.groups);
    }
    cohorts_[name] = add_node(std::move(node));
  }
  for (const auto& [name, cohort] : configuration.cohorts) {
    if (!cohort.parent.empty()) node(cohorts_.at(name)).parent = cohorts_.at(cohort.parent);
  }
}

void QuotaTree::add_queues(const Configuration& configuration) {
  for (const auto& [name, queue] : configuration.cluster_queues) {
    Node node{.name = name, .is_queue = true, .fair_weight = queue.fair_weight};
    take_quotas(node, queue.groups);
    if (!queue.cohort.empty()) node.parent = cohorts_.at(queue.cohort);
    queues_[name] = add_node(std::move(node));
  }
}

// A node that reaches a circle on its way up loses its parent and is marked.
void QuotaTree::cut_cycles() {
  std::vector<Visit> visits(nodes_.size(), Visit::open);
  for (std::size_t start = 0; start < nodes_.size(); ++start) {
    std::vector<std::size_t> path;
    std::optional<std::size_t> at = start;
    while (at && visits[*at] == Visit::open) {
      visits[*at] = Visit::on_path;
      path.push_back(*at);
      const auto up = nodes_[*at].parent;
      at = up ? std::optional{static_cast<std::size_t>(*up)} : std::nullopt;
    }
    const bool circular = at && (visits[*at] == Visit::on_path || nodes_[*at].in_cycle);
    for (const std::size_t one : path) {
      visits[one] = Visit::done;
      nodes_[one].in_cycle = circular;
    }
  }
  for (Node& node : nodes_) {
    if (node.in_cycle) node.parent = std::nullopt;
  }
}

void QuotaTree::link() {
  for (const auto& [name, id] : cohorts_) {
    if (const auto up = parent(id)) node(*up).cohorts.push_back(id);
  }
  for (const auto& [name, id] : queues_) {
    if (const auto up = parent(id)) node(*up).queues.push_back(id);
  }
}

// From the leaves up: quota of subtrees, heights; from the root down: who the root is.
void QuotaTree::sum_up(NodeId id) {
  Node& own = node(id);
  for (const auto& [cell, quota] : own.quotas) own.subtree_quota[cell] = quota.nominal;
  if (!own.queues.empty()) own.height = 1;
  std::vector<NodeId> children = own.cohorts;
  children.insert(children.end(), own.queues.begin(), own.queues.end());
  for (const NodeId child : children) {
    node(child).root = own.root;
    sum_up(child);
    if (!is_queue(child)) own.height = std::max(own.height, height(child) + 1);
    for (const auto& [cell, quota] : node(child).subtree_quota) {
      own.subtree_quota[cell] += quota - local_quota(child, CellId{cell});
    }
  }
  for (const auto& [cell, quota] : own.subtree_quota) own.quota_cells.push_back(CellId{cell});
  std::sort(own.quota_cells.begin(), own.quota_cells.end());
}

void QuotaTree::lend(NodeId id) {
  std::vector<Amount> lendable(resources());
  for (const CellId one : cells(root(id))) {
    lendable[static_cast<std::size_t>(cell(one).resource_id)] += potentially_available(id, one);
  }
  node(id).lendable = std::move(lendable);
}

}  // namespace stockout::kueue
