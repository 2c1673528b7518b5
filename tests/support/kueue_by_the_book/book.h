#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::test::by_the_book {

/// One resource in one flavor.
struct Cell {
  std::string flavor;
  std::string resource;

  friend auto operator<=>(const Cell&, const Cell&) = default;
};

using Amounts = std::map<Cell, std::int64_t>;

/// A cluster queue or a cohort.
struct Node {
  bool is_queue = false;
  std::string name;

  friend auto operator<=>(const Node&, const Node&) = default;
};

[[nodiscard]] inline Node queue_node(const std::string& name) { return {.is_queue = true, .name = name}; }

/// What a workload holds by its admission.
[[nodiscard]] Amounts held_by(const kueue::Workload& workload);
void add(Amounts& to, const Amounts& more);
/// Pods of the pod set that still ask for quota: some may be done (rule 14).
[[nodiscard]] std::int64_t pods_left(const kueue::Workload& workload, const kueue::PodSet& pod_set,
                                     const kueue::Settings& settings);

/// Quota and who holds it, as lists. Every answer is worked out anew from them, by its definition. What if
/// somebody were gone, or had more? Ask a changed copy.
struct Book {
  const kueue::Configuration* objects = nullptr;
  const kueue::Settings* settings = nullptr;
  std::vector<const kueue::Workload*> holders = {};
  std::map<std::string, Amounts> besides = {};  // used by queues, but by no holder: given out in this cycle

  [[nodiscard]] Book without(const std::set<kueue::WorkloadId>& workloads) const;
  [[nodiscard]] Book with(const std::string& queue, const Amounts& amounts) const;

  // --- the forest ---
  [[nodiscard]] const kueue::ClusterQueue& rules(const std::string& queue) const {
    return objects->cluster_queues.at(queue);
  }
  /// Whether it may admit: rules 4 and 52. Others see no workloads in one that may not.
  [[nodiscard]] bool is_open(const std::string& queue) const;
  [[nodiscard]] std::optional<Node> parent(const Node& node) const;
  /// From its parent to the root; empty for a root.
  [[nodiscard]] std::vector<Node> ancestors(const Node& node) const;
  [[nodiscard]] Node root(const Node& node) const;
  [[nodiscard]] std::vector<Node> child_cohorts(const Node& cohort) const;
  [[nodiscard]] std::vector<Node> child_queues(const Node& cohort) const;
  /// Edges to the furthest leaf.
  [[nodiscard]] int height(const Node& node) const;
  [[nodiscard]] double fair_weight(const Node& node) const;

  // --- quota ---
  [[nodiscard]] std::optional<kueue::Quota> quota(const Node& node, const Cell& cell) const;
  /// Cells that it or a node below has quota for.
  [[nodiscard]] std::set<Cell> cells(const Node& node) const;
  [[nodiscard]] std::int64_t subtree_quota(const Node& node, const Cell& cell) const;
  [[nodiscard]] std::int64_t local_quota(const Node& node, const Cell& cell) const;
  [[nodiscard]] std::int64_t usage(const Node& node, const Cell& cell) const;
  [[nodiscard]] std::int64_t local_available(const Node& node, const Cell& cell) const;
  /// May be negative.
  [[nodiscard]] std::int64_t available(const Node& node, const Cell& cell) const;
  [[nodiscard]] std::int64_t potentially_available(const Node& node, const Cell& cell) const;
  [[nodiscard]] bool borrows(const Node& node, const Cell& cell, std::int64_t more = 0) const;
  [[nodiscard]] bool borrows_any(const Node& node, const std::set<Cell>& cells) const;
  /// Whether the queue can have all that now.
  [[nodiscard]] bool fits(const std::string& queue, const Amounts& amounts) const;

  /// Height of the lowest subtree whose quota covers the amount, else of the whole tree; and whether it is
  /// less than the whole tree.
  struct Level {
    int height = 0;
    bool is_part = false;
  };
  [[nodiscard]] Level level(const std::string& queue, const Cell& cell, std::int64_t amount) const;
};

}  // namespace stockout::test::by_the_book
