#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "models/orchestrators/kueue/fair_share.h"
#include "models/orchestrators/kueue/preemption.h"

namespace stockout::kueue {

/// From which queue fair sharing takes the next victim: from the root down into the child with the largest
/// share. A queue that no longer borrows, or has nobody left, is not looked at again.
class TargetQueues {
 public:
  /// `candidates` in the order in which they are evicted.
  TargetQueues(const Scene& scene, NodeId preemptor, const std::vector<WorkloadId>& candidates);

  /// The queue to take from now. Between two calls its first candidate is popped, or it is dropped.
  [[nodiscard]] std::optional<NodeId> next();
  [[nodiscard]] bool has_candidate(NodeId queue) const;
  WorkloadId pop(NodeId queue);
  void drop(NodeId queue) { pruned_.insert(queue); }

  /// The children of the lowest common cohort, towards the preemptor and towards `queue`.
  struct Rivals {
    NodeId own{};
    NodeId other{};
  };
  [[nodiscard]] Rivals rivals(NodeId queue) const;

 private:
  [[nodiscard]] std::optional<NodeId> descend(NodeId cohort);
  [[nodiscard]] std::optional<NodeId> largest_queue(NodeId cohort, FairShare& share);
  [[nodiscard]] std::optional<NodeId> largest_cohort(NodeId cohort, FairShare& share);
  [[nodiscard]] std::size_t place_of_first(NodeId queue) const;

  const Scene& scene_;
  NodeId preemptor_;
  std::set<NodeId> ancestors_;
  std::map<NodeId, std::deque<WorkloadId>> candidates_;
  std::map<WorkloadId, std::size_t> places_;  // in the order of all candidates
  std::set<NodeId> pruned_;
};

}  // namespace stockout::kueue
