#include "models/orchestrators/kueue/fair_preemption.h"

// Whom a workload evicts with fair sharing: from whoever has the largest share of what is borrowed, as long
// as that share stays above its own.

#include <algorithm>
#include <optional>
#include <utility>

#include "models/orchestrators/kueue/fair_share.h"
#include "models/orchestrators/kueue/target_queues.h"

namespace stockout::kueue {
namespace {

class FairSearch {
 public:
  FairSearch(const Scene& scene, const Claim& claim)
      : scene_{scene}, claim_{claim}, policy_{scene.queue(claim.queue).preemption} {}

  std::vector<Victim> run() {
    std::vector<WorkloadId> candidates = collect();
    if (candidates.empty()) return {};
    sort_candidates(scene_, claim_.queue, candidates);
    scene_.tree().add(claim_.queue, claim_.usage);  // shares are those with the workload
    const bool found = take(candidates);
    scene_.tree().remove(claim_.queue, claim_.usage);
    if (found) keep_needed(scene_, claim_, true, victims_);
    put_back(scene_.ledger, victims_);
    return found ? std::move(victims_) : std::vector<Victim>{};
  }

 private:
  using Candidates = std::vector<WorkloadId>;

  [[nodiscard]] Candidates collect() const {
    Candidates candidates;
    collect_in(claim_.queue, policy_.within_queue, candidates);
    if (!scene_.tree().parent(claim_.queue)) return candidates;
    for (const NodeId queue : scene_.tree().queues_below(scene_.tree().root(claim_.queue))) {
      if (queue == claim_.queue || !scene_.gives_way(queue)) continue;
      if (scene_.tree().is_within_quota(queue, claim_.contested)) continue;
      collect_in(queue, policy_.reclaim_within_cohort, candidates);
    }
    return candidates;
  }

  void collect_in(NodeId queue, PreemptionPolicy policy, Candidates& candidates) const {
    if (policy == PreemptionPolicy::never) return;
    for (const WorkloadId id : scene_.ledger.held_in(scene_.tree().name(queue))) {
      if (scene_.ledger.uses_any(id, claim_.contested) &&
          may_preempt(*claim_.preemptor, scene_.ledger.workload(id), policy, scene_.settings)) {
        candidates.push_back(id);
      }
    }
  }

  [[nodiscard]] bool take(const Candidates& candidates) {
    const std::vector<FairStrategy>& strategies = scene_.settings.strategies;
    if (strategies.empty()) return false;
    Candidates rest;
    if (first_round(candidates, strategies.front(), rest)) return true;
    if (is_worth_another_round()) {
      const Candidates spared = std::exchange(rest, {});
      if (first_round(spared, strategies.front(), rest)) return true;
    }
    return strategies.size() > 1 && second_round(rest);
  }

  // Victims of the own queue have made its share smaller than it was when others were compared with it.
  [[nodiscard]] bool is_worth_another_round() const {
    if (!scene_.settings.gates.has(Gate::reevaluate_fair_candidates)) return false;
    return std::any_of(victims_.begin(), victims_.end(), [&](const Victim& victim) {
      return scene_.ledger.workload(victim.workload).status.admission->cluster_queue ==
             scene_.tree().name(claim_.queue);
    });
  }

  // `rest`: whom the strategy spares.
  [[nodiscard]] bool first_round(const Candidates& candidates, FairStrategy strategy, Candidates& rest) {
    TargetQueues targets{scene_, claim_.queue, candidates};
    const bool is_entitled = scene_.settings.gates.has(Gate::preempt_within_nominal) &&
                             scene_.tree().is_within_quota(claim_.queue, claim_.contested);
    while (const auto queue = targets.next()) {
      if (*queue == claim_.queue) {
        if (evict(targets.pop(*queue), kInClusterQueue)) return true;
      } else if (is_entitled) {
        if (evict(targets.pop(*queue), kInCohortReclamation)) return true;
      } else if (const auto victim = first_that_passes(targets, *queue, strategy, rest)) {
        if (evict(*victim, kInCohortFairSharing)) return true;
      }
    }
    sort_candidates(scene_, claim_.queue, rest);  // they came queue by queue
    return false;
  }

  [[nodiscard]] std::optional<WorkloadId> first_that_passes(TargetQueues& targets, NodeId queue,
                                                            FairStrategy strategy, Candidates& rest) const {
    const auto [own, other] = targets.rivals(queue);
    const FairShare share = fair_share(scene_.tree(), own);
    const FairShare before = fair_share(scene_.tree(), other);
    while (targets.has_candidate(queue)) {
      const WorkloadId id = targets.pop(queue);
      if (passes(strategy, share, before, share_without(id, other))) return id;
      rest.push_back(id);
    }
    return std::nullopt;
  }

  [[nodiscard]] FairShare share_without(WorkloadId id, NodeId node) const {
    scene_.ledger.lift(id);
    FairShare share = fair_share(scene_.tree(), node);
    scene_.ledger.put_back(id);
    return share;
  }

  static bool passes(FairStrategy strategy, const FairShare& own, const FairShare& before,
                     const FairShare& after) {
    return strategy == FairStrategy::less_than_initial_share ? compare(own, before) < 0
                                                             : compare(own, after) <= 0;
  }

  // One from each queue whose share is larger than the preemptor's, whatever it is afterwards.
  [[nodiscard]] bool second_round(const Candidates& candidates) {
    TargetQueues targets{scene_, claim_.queue, candidates};
    while (const auto queue = targets.next()) {
      const auto [own, other] = targets.rivals(*queue);
      const bool is_larger = compare(fair_share(scene_.tree(), own), fair_share(scene_.tree(), other)) < 0;
      if (is_larger && evict(targets.pop(*queue), kInCohortFairSharing)) return true;
      targets.drop(*queue);
    }
    return false;
  }

  // True if the workload fits then.
  bool evict(WorkloadId id, const char* reason) {
    scene_.ledger.lift(id);
    victims_.push_back({id, reason});
    scene_.tree().remove(claim_.queue, claim_.usage);
    const bool enough = fits(scene_.tree(), claim_);
    scene_.tree().add(claim_.queue, claim_.usage);
    return enough;
  }

  const Scene& scene_;
  const Claim& claim_;
  const Preemption& policy_;
  std::vector<Victim> victims_;
};

}  // namespace

std::vector<Victim> fair_victims(const Scene& scene, const Claim& claim) {
  return FairSearch{scene, claim}.run();
}

}  // namespace stockout::kueue
