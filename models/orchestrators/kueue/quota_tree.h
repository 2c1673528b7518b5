#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/kueue/amount.h"
#include "models/orchestrators/kueue/configuration.h"

namespace stockout::kueue {

/// A node of the quota tree: a cluster queue or a cohort.
enum class NodeId : std::uint32_t {};
/// One resource in one flavor.
enum class CellId : std::uint32_t {};
enum class ResourceId : std::uint32_t {};

struct Cell {
  std::string flavor;
  std::string resource;
  ResourceId resource_id{};
};

struct CellAmount {
  CellId cell{};
  Amount amount;
};

/// Amounts by cell; no cell comes twice.
using Usage = std::vector<CellAmount>;

/// Adds to the amount of the cell.
void add_to(Usage& usage, CellId cell, Amount amount);
[[nodiscard]] Amount amount_of(const Usage& usage, CellId cell);

/// Quota and its use, in a forest of cohorts with cluster queues as leaves.
///
/// Usage of a node first fills what it does not lend (its local quota). Only what exceeds that counts against
/// its parent. Hence a parent's usage is a function of its children's, in whatever order they changed.
class QuotaTree {
 public:
  /// The number of the cell, the same from now on.
  CellId cell(const std::string& flavor, const std::string& resource);
  [[nodiscard]] const Cell& cell(CellId id) const { return cells_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] std::size_t resources() const { return resource_ids_.size(); }
  [[nodiscard]] const std::string& resource(ResourceId id) const;

  /// Takes over other queues and cohorts. Node numbers change, and nothing is used any more.
  void rebuild(const Configuration& configuration);

  [[nodiscard]] std::optional<NodeId> queue(const std::string& name) const;
  [[nodiscard]] std::optional<NodeId> cohort(const std::string& name) const;

  // --- shape ---
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

  // --- quota ---
  [[nodiscard]] const Quota* quota(NodeId id, CellId cell) const;
  [[nodiscard]] Amount nominal(NodeId id, CellId cell) const;
  /// Its own quota and what its children lend.
  [[nodiscard]] Amount subtree_quota(NodeId id, CellId cell) const;
  /// Cells that it or a node below has quota for.
  [[nodiscard]] const std::vector<CellId>& cells(NodeId id) const { return node(id).quota_cells; }
  [[nodiscard]] Amount usage(NodeId id, CellId cell) const;
  /// What of its local quota is not used.
  [[nodiscard]] Amount local_available(NodeId id, CellId cell) const;
  /// What the node can still take, from itself and above; negative where more is used than there is.
  [[nodiscard]] Amount available(NodeId id, CellId cell) const;
  /// The same if nothing were used.
  [[nodiscard]] Amount potentially_available(NodeId id, CellId cell) const;
  /// What a cohort could give of each resource in all its flavors if nothing were used.
  [[nodiscard]] const std::vector<Amount>& lendable(NodeId cohort) const { return node(cohort).lendable; }
  /// Whether usage exceeds quota, `more` included.
  [[nodiscard]] bool borrows(NodeId id, CellId cell, Amount more = Amount{}) const;
  /// Whether usage is within quota in all these cells.
  [[nodiscard]] bool is_within_quota(NodeId id, const std::vector<CellId>& cells) const;

  // --- use, in amounts that are not negative ---
  void add(NodeId queue, const Usage& usage);
  void remove(NodeId queue, const Usage& usage);

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
    std::unordered_map<std::uint32_t, Quota> quotas = {};          // by cell
    std::unordered_map<std::uint32_t, Amount> subtree_quota = {};  // by cell
    std::unordered_map<std::uint32_t, Amount> usage = {};          // by cell
    std::vector<CellId> quota_cells = {};
    std::vector<Amount> lendable = {};
  };

  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] Node& node(NodeId id) { return nodes_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] Amount local_quota(NodeId id, CellId cell) const;
  void change(NodeId id, CellId cell, Amount amount, bool added);

  NodeId add_node(Node node);
  void take_quotas(Node& node, const std::vector<ResourceGroup>& groups);
  void add_cohorts(const Configuration& configuration);
  void add_queues(const Configuration& configuration);
  void cut_cycles();
  void link();
  void sum_up(NodeId id);
  void lend(NodeId id);

  std::vector<Cell> cells_;
  std::map<std::pair<std::string, std::string>, CellId> cell_ids_;
  std::map<std::string, ResourceId> resource_ids_;
  std::vector<std::string> resource_names_;
  std::vector<Node> nodes_;
  std::map<std::string, NodeId> queues_;
  std::map<std::string, NodeId> cohorts_;
};

}  // namespace stockout::kueue
