#include "models/orchestrators/kueue/classical_preemption.h"

// Whom a workload evicts without fair sharing: own queue by priority, and those that borrow what it has a
// right to.

#include <algorithm>
#include <optional>
#include <utility>

namespace stockout::kueue {
namespace {

enum class Right : std::uint8_t {
  own_queue,
  hierarchy,          // the quota is nearer to the preemptor than to the victim
  without_borrowing,  // only if the preemptor then does not borrow
  while_borrowing,
};

struct Choice {
  WorkloadId workload{};
  Right right{};
  std::optional<NodeId> common;  // the lowest cohort above both queues
};

const char* reason_of(Right right) {
  switch (right) {
    case Right::own_queue:
      return kInClusterQueue;
    case Right::while_borrowing:
      return kInCohortReclaimWhileBorrowing;
    default:
      return kInCohortReclamation;
  }
}

class ClassicalSearch {
 public:
  ClassicalSearch(const Scene& scene, const Claim& claim)
      : scene_{scene}, claim_{claim}, policy_{scene.queue(claim.queue).preemption} {}

  std::vector<Victim> run() {
    collect_own();
    collect_others();
    line_up();
    for (const bool may_borrow : attempts()) {
      std::vector<Victim> victims = attempt(may_borrow);
      if (!victims.empty()) return victims;
    }
    return {};
  }

 private:
  using Choices = std::vector<Choice>;

  [[nodiscard]] bool is_candidate(WorkloadId id, PreemptionPolicy policy) const {
    return scene_.ledger.uses_any(id, claim_.contested) &&
           may_preempt(*claim_.preemptor, scene_.ledger.workload(id), policy, scene_.settings);
  }

  void collect_own() {
    for (const WorkloadId id : scene_.ledger.held_in(scene_.tree().name(claim_.queue))) {
      if (is_candidate(id, policy_.within_queue)) own_.push_back({id, Right::own_queue, std::nullopt});
    }
  }

  // Upwards cohort by cohort, each without the part that was looked at before.
  void collect_others() {
    if (policy_.reclaim_within_cohort == PreemptionPolicy::never) return;
    Usage rest = claim_.usage;
    bool has_right = take_part(claim_.queue, rest);
    std::optional<NodeId> seen;
    for (auto cohort = scene_.tree().parent(claim_.queue); cohort; cohort = scene_.tree().parent(*cohort)) {
      collect_below(*cohort, *cohort, seen, has_right);
      has_right = take_part(*cohort, rest) || has_right;
      seen = cohort;
    }
  }

  // Whether the node's quota covers the rest of the request; what its local quota leaves is the rest above
  // it.
  [[nodiscard]] bool take_part(NodeId node, Usage& rest) const {
    bool covered = true;
    for (CellAmount& one : rest) {
      covered = covered && !scene_.tree().borrows(node, one.cell, one.amount);
      one.amount = std::max(Amount{}, one.amount - scene_.tree().local_available(node, one.cell));
    }
    return covered;
  }

  void collect_below(NodeId cohort, NodeId common, std::optional<NodeId> skipped, bool has_right) {
    for (const NodeId child : scene_.tree().child_cohorts(cohort)) {
      if (child == skipped || scene_.tree().is_within_quota(child, claim_.contested)) continue;
      collect_below(child, common, skipped, has_right);
    }
    for (const NodeId queue : scene_.tree().child_queues(cohort)) {
      if (queue == claim_.queue || !scene_.gives_way(queue)) continue;
      if (scene_.tree().is_within_quota(queue, claim_.contested)) continue;
      collect_in(queue, common, has_right);
    }
  }

  void collect_in(NodeId queue, NodeId common, bool has_right) {
    for (const WorkloadId id : scene_.ledger.held_in(scene_.tree().name(queue))) {
      if (!is_candidate(id, policy_.reclaim_within_cohort)) continue;
      const Right right = has_right ? Right::hierarchy : right_by_priority(id);
      (has_right ? by_hierarchy_ : by_priority_).push_back({id, right, common});
    }
  }

  [[nodiscard]] Right right_by_priority(WorkloadId id) const {
    const BorrowWithinCohort& rule = policy_.borrow_within_cohort;
    const std::int64_t theirs = effective_priority(scene_.ledger.workload(id), scene_.settings.gates);
    const bool is_lower = theirs < effective_priority(*claim_.preemptor, scene_.settings.gates);
    if (!rule.lower_priority || !is_lower) return Right::without_borrowing;
    return rule.max_priority && theirs > *rule.max_priority ? Right::without_borrowing
                                                            : Right::while_borrowing;
  }

  // Those being evicted already come first.
  void line_up() {
    for (Choices* list : {&by_hierarchy_, &by_priority_, &own_}) sort(*list);
    for (const bool evicted : {true, false}) {
      for (const Choices* list : {&by_hierarchy_, &by_priority_, &own_}) {
        std::copy_if(list->begin(), list->end(), std::back_inserter(line_), [&](const Choice& choice) {
          return scene_.ledger.workload(choice.workload).status.evicted.status == evicted;
        });
      }
    }
  }

  void sort(Choices& choices) const {
    std::vector<WorkloadId> order;
    for (const Choice& choice : choices) order.push_back(choice.workload);
    sort_candidates(scene_, claim_.queue, order);
    std::unordered_map<WorkloadId, std::size_t> place;
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::sort(choices.begin(), choices.end(),
              [&](const Choice& a, const Choice& b) { return place.at(a.workload) < place.at(b.workload); });
  }

  // Whether to borrow, in the order in which it is tried.
  [[nodiscard]] std::vector<bool> attempts() const {
    const bool never_borrows = !policy_.borrow_within_cohort.lower_priority;
    const bool none_elsewhere = by_hierarchy_.empty() && by_priority_.empty();
    if (none_elsewhere || (never_borrows && !is_under_nominal())) return {true};
    if (never_borrows && by_hierarchy_.empty()) return {false, true};
    return {true, false};
  }

  [[nodiscard]] bool is_under_nominal() const {
    return std::all_of(claim_.contested.begin(), claim_.contested.end(), [&](CellId cell) {
      return scene_.tree().usage(claim_.queue, cell) < scene_.tree().nominal(claim_.queue, cell);
    });
  }

  [[nodiscard]] std::vector<Victim> attempt(bool may_borrow) const {
    std::vector<Victim> victims;
    for (const Choice& choice : line_) {
      if (!still_counts(choice, may_borrow)) continue;
      scene_.ledger.lift(choice.workload);
      victims.push_back({choice.workload, reason_of(choice.right)});
      if (!fits(scene_.tree(), claim_, may_borrow)) continue;
      keep_needed(scene_, claim_, may_borrow, victims);
      put_back(scene_.ledger, victims);
      return victims;
    }
    put_back(scene_.ledger, victims);
    return {};
  }

  // After those before it are gone its queue, or a cohort below the common one, may be within its quota.
  [[nodiscard]] bool still_counts(const Choice& choice, bool may_borrow) const {
    if (choice.right == Right::own_queue) return true;
    if (may_borrow && choice.right == Right::without_borrowing) return false;
    auto node = scene_.tree().queue(scene_.ledger.workload(choice.workload).status.admission->cluster_queue);
    for (; node && node != choice.common; node = scene_.tree().parent(*node)) {
      if (scene_.tree().is_within_quota(*node, claim_.contested)) return false;
    }
    return true;
  }

  const Scene& scene_;
  const Claim& claim_;
  const Preemption& policy_;
  Choices own_;
  Choices by_hierarchy_;
  Choices by_priority_;
  Choices line_;
};

}  // namespace

std::vector<Victim> classical_victims(const Scene& scene, const Claim& claim) {
  return ClassicalSearch{scene, claim}.run();
}

}  // namespace stockout::kueue
