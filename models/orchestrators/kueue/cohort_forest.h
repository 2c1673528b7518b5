#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"

namespace stockout::kueue {

/// A node of the forest: a cluster queue or a cohort.
enum class NodeId : std::uint32_t {};

/// Cohorts with cluster queues as leaves: who is whose parent.
class CohortForest {
 public:
  /// Takes over other queues and cohorts; those that are only named by a queue or a cohort are there too.
  /// Node numbers change.
  explicit CohortForest(const Configuration& configuration = {});

  [[nodiscard]] std::optional<NodeId> queue(const std::string& name) const;
  [[nodiscard]] std::optional<NodeId> cohort(const std::string& name) const;
  /// Of the root above a queue; of a queue that is not there, its own name.
  [[nodiscard]] const std::string& root_name(const std::string& queue) const;

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  /// All without a parent: roots, and what is in a circle or below one.
  [[nodiscard]] std::vector<NodeId> tops() const;
  [[nodiscard]] const std::string& name(NodeId id) const { return node(id).name; }
  [[nodiscard]] bool is_queue(NodeId id) const { return node(id).is_queue; }
  [[nodiscard]] std::optional<NodeId> parent(NodeId id) const { return node(id).parent; }
  [[nodiscard]] NodeId root(NodeId id) const { return node(id).root; }
  [[nodiscard]] double fair_weight(NodeId id) const { return node(id).fair_weight; }
  /// Of a cohort, by name.
  [[nodiscard]] const std::vector<NodeId>& child_cohorts(NodeId id) const { return node(id).cohorts; }
  [[nodiscard]] const std::vector<NodeId>& child_queues(NodeId id) const { return node(id).queues; }
  /// Queues below a cohort, or the queue itself.
  [[nodiscard]] std::vector<NodeId> queues_below(NodeId id) const;
  /// Edges to the furthest leaf.
  [[nodiscard]] int height(NodeId id) const { return node(id).height; }
  /// Whether its cohorts form a circle. Such a node has no parent here, and nothing may be admitted to it.
  [[nodiscard]] bool is_in_cycle(NodeId id) const { return node(id).in_cycle; }

 private:
  struct Node {
    std::string name;
    bool is_queue = false;
    bool in_cycle = false;
    std::optional<NodeId> parent = std::nullopt;
    NodeId root{};
    double fair_weight = 1;
    int height = 0;
    std::vector<NodeId> cohorts = {};
    std::vector<NodeId> queues = {};
  };

  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] Node& node(NodeId id) { return nodes_[static_cast<std::size_t>(id)]; }

  NodeId add_node(Node node);
  void add_cohorts(const Configuration& configuration);
  void add_queues(const Configuration& configuration);
  void cut_cycles();
  void link();
  void measure(NodeId id);

  std::vector<Node> nodes_;
  std::map<std::string, NodeId> queues_;
  std::map<std::string, NodeId> cohorts_;
};

}  // namespace stockout::kueue
