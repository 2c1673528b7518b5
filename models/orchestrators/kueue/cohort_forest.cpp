#include "models/orchestrators/kueue/cohort_forest.h"

#include <algorithm>
#include <set>
#include <utility>

namespace stockout::kueue {
namespace {

enum class Visit : std::uint8_t { open, on_path, done };

std::optional<NodeId> node_named(const std::map<std::string, NodeId>& nodes, const std::string& name) {
  const auto entry = nodes.find(name);
  return entry == nodes.end() ? std::nullopt : std::optional{entry->second};
}

}  // namespace

CohortForest::CohortForest(const Configuration& configuration) {
  add_cohorts(configuration);
  add_queues(configuration);
  cut_cycles();
  link();
  for (const NodeId id : tops()) measure(id);
}

std::optional<NodeId> CohortForest::queue(const std::string& name) const { return node_named(queues_, name); }

std::optional<NodeId> CohortForest::cohort(const std::string& name) const {
  return node_named(cohorts_, name);
}

const std::string& CohortForest::root_name(const std::string& queue) const {
  const auto id = this->queue(queue);
  return id ? name(root(*id)) : queue;
}

std::vector<NodeId> CohortForest::tops() const {
  std::vector<NodeId> tops;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].parent) tops.push_back(NodeId{static_cast<std::uint32_t>(i)});
  }
  return tops;
}

std::vector<NodeId> CohortForest::queues_below(NodeId id) const {
  if (is_queue(id)) return {id};
  std::vector<NodeId> below = child_queues(id);
  for (const NodeId cohort : child_cohorts(id)) {
    const std::vector<NodeId> deeper = queues_below(cohort);
    below.insert(below.end(), deeper.begin(), deeper.end());
  }
  return below;
}

NodeId CohortForest::add_node(Node node) {
  const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  node.root = id;
  nodes_.push_back(std::move(node));
  return id;
}

void CohortForest::add_cohorts(const Configuration& configuration) {
  std::set<std::string> names;
  for (const auto& [name, cohort] : configuration.cohorts) names.insert({name, cohort.parent});
  for (const auto& [name, queue] : configuration.cluster_queues) names.insert(queue.cohort);
  names.erase("");
  for (const std::string& name : names) cohorts_[name] = add_node({.name = name});
  for (const auto& [name, cohort] : configuration.cohorts) {
    Node& own = node(cohorts_.at(name));
    own.fair_weight = cohort.fair_weight;
    if (!cohort.parent.empty()) own.parent = cohorts_.at(cohort.parent);
  }
}

void CohortForest::add_queues(const Configuration& configuration) {
  for (const auto& [name, queue] : configuration.cluster_queues) {
    Node own{.name = name, .is_queue = true, .fair_weight = queue.fair_weight};
    if (!queue.cohort.empty()) own.parent = cohorts_.at(queue.cohort);
    queues_[name] = add_node(std::move(own));
  }
}

// A node that reaches a circle on its way up loses its parent and is marked.
void CohortForest::cut_cycles() {
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

void CohortForest::link() {
  for (const auto& [name, id] : cohorts_) {
    if (const auto up = parent(id)) node(*up).cohorts.push_back(id);
  }
  for (const auto& [name, id] : queues_) {
    if (const auto up = parent(id)) node(*up).queues.push_back(id);
  }
}

// From the root down: who the root is; from the leaves up: heights.
void CohortForest::measure(NodeId id) {
  Node& own = node(id);
  if (!own.queues.empty()) own.height = 1;
  for (const NodeId child : own.queues) node(child).root = own.root;
  for (const NodeId child : own.cohorts) {
    node(child).root = own.root;
    measure(child);
    own.height = std::max(own.height, height(child) + 1);
  }
}

}  // namespace stockout::kueue
