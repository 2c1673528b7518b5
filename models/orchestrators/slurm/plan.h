#pragma once

#include <vector>

#include "models/orchestrators/slurm/node_set.h"
#include "sim/core/time.h"

namespace stockout::slurm {

/// Which nodes are not promised to anybody, from `begin` to `end`.
struct Slot {
  SimTime begin{};
  SimTime end{};
  NodeSet nodes;
};

/// The future as one cycle of backfill sees it: times one after another, each with the nodes that no waiting
/// job is to have then. Running jobs are not in it.
class Plan {
 public:
  Plan(SimTime begin, SimTime end, NodeSet nodes, SimDuration resolution);

  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  [[nodiscard]] SimTime begin() const { return slots_.front().begin; }
  [[nodiscard]] SimTime end() const { return slots_.back().end; }
  /// Entries that were ever made: the table of Slurm is full at bf_node_space_size of them.
  [[nodiscard]] int entries() const { return entries_; }

  /// The first slot that is not over at `at`; slots().size() if there is none.
  [[nodiscard]] std::size_t slot_at(SimTime at) const;
  /// Whether one of the nodes is promised to somebody at some time in [begin, end).
  [[nodiscard]] bool overlaps(const NodeSet& nodes, SimTime begin, SimTime end) const;
  /// The nodes are promised from `begin` to `end`, at least as long as the resolution.
  void reserve(const NodeSet& nodes, SimTime begin, SimTime end);

 private:
  void split(std::size_t slot, SimTime at);
  void merge_one(std::size_t first, std::size_t last);

  SimDuration resolution_;
  std::vector<Slot> slots_;
  int entries_ = 1;
};

}  // namespace stockout::slurm
