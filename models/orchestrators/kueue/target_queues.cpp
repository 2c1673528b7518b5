#include "models/orchestrators/kueue/target_queues.h"

namespace stockout::kueue {

TargetQueues::TargetQueues(const Scene& scene, NodeId preemptor, const std::vector<WorkloadId>& candidates)
    : scene_{scene}, preemptor_{preemptor} {
  for (auto node = scene.tree().parent(preemptor); node; node = scene.tree().parent(*node)) {
    ancestors_.insert(*node);
  }
  for (const WorkloadId id : candidates) {
    const auto queue = scene.tree().queue(scene.ledger.workload(id).status.admission->cluster_queue);
    candidates_[*queue].push_back(id);
    places_[id] = places_.size();
  }
}

std::optional<NodeId> TargetQueues::next() {
  if (!scene_.tree().parent(preemptor_)) {
    const bool is_open = has_candidate(preemptor_) && !pruned_.contains(preemptor_);
    return is_open ? std::optional{preemptor_} : std::nullopt;
  }
  const NodeId root = scene_.tree().root(preemptor_);
  while (!pruned_.contains(root)) {
    if (const auto queue = descend(root)) return queue;
  }
  return std::nullopt;
}

bool TargetQueues::has_candidate(NodeId queue) const {
  const auto entry = candidates_.find(queue);
  return entry != candidates_.end() && !entry->second.empty();
}

WorkloadId TargetQueues::pop(NodeId queue) {
  std::deque<WorkloadId>& waiting = candidates_.at(queue);
  const WorkloadId first = waiting.front();
  waiting.pop_front();
  return first;
}

TargetQueues::Rivals TargetQueues::rivals(NodeId queue) const {
  Rivals found{.own = preemptor_, .other = queue};
  auto common = scene_.tree().parent(queue);
  while (common && !ancestors_.contains(*common)) {
    found.other = *common;
    common = scene_.tree().parent(*common);
  }
  while (scene_.tree().parent(found.own) != common) found.own = *scene_.tree().parent(found.own);
  return found;
}

// Nothing means that something was pruned, not that nobody is left.
std::optional<NodeId> TargetQueues::descend(NodeId cohort) {
  FairShare queue_share;
  FairShare cohort_share;
  const auto queue = largest_queue(cohort, queue_share);
  const auto below = largest_cohort(cohort, cohort_share);
  if (!queue && !below) {
    pruned_.insert(cohort);
    return std::nullopt;
  }
  if (below && (!queue || compare(cohort_share, queue_share) >= 0)) return descend(*below);
  return queue;
}

// Among equals the one whose first candidate is evicted first.
std::optional<NodeId> TargetQueues::largest_queue(NodeId cohort, FairShare& share) {
  std::optional<NodeId> largest;
  for (const NodeId queue : scene_.tree().child_queues(cohort)) {
    if (pruned_.contains(queue)) continue;
    const FairShare own = fair_share(scene_.tree(), queue);
    if ((!own.borrows() && queue != preemptor_) || !has_candidate(queue)) {
      pruned_.insert(queue);
      continue;
    }
    const auto order = largest ? compare(own, share) : std::partial_ordering::greater;
    if (order < 0 || (order == 0 && place_of_first(queue) > place_of_first(*largest))) continue;
    largest = queue;
    share = own;
  }
  return largest;
}

// A cohort on the way to the preemptor is looked into even if it does not borrow.
std::optional<NodeId> TargetQueues::largest_cohort(NodeId cohort, FairShare& share) {
  std::optional<NodeId> largest;
  for (const NodeId child : scene_.tree().child_cohorts(cohort)) {
    if (pruned_.contains(child)) continue;
    const FairShare own = fair_share(scene_.tree(), child);
    if (!own.borrows() && !ancestors_.contains(child)) {
      pruned_.insert(child);
      continue;
    }
    if (largest && compare(own, share) < 0) continue;
    largest = child;
    share = own;
  }
  return largest;
}

std::size_t TargetQueues::place_of_first(NodeId queue) const {
  return places_.at(candidates_.at(queue).front());
}

}  // namespace stockout::kueue
