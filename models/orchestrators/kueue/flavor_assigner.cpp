#include "models/orchestrators/kueue/flavor_assigner.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/orchestrators/kueue/resource_units.h"

namespace stockout::kueue {
namespace {

Mode mode_of(Prospect prospect) {
  if (prospect == Prospect::no_fit) return Mode::no_fit;
  return prospect == Prospect::fit ? Mode::fit : Mode::preempt;
}

const FlavorQuotas* first_with(const ResourceGroup& group, const std::string& resource) {
  const auto entry =
      std::find_if(group.flavors.begin(), group.flavors.end(),
                   [&](const FlavorQuotas& flavor) { return flavor.quotas.contains(resource); });
  return entry == group.flavors.end() ? nullptr : &*entry;
}

const ResourceGroup* group_of(const ClusterQueue& queue, const std::string& resource) {
  const auto entry = std::find_if(queue.groups.begin(), queue.groups.end(), [&](const ResourceGroup& group) {
    return first_with(group, resource) != nullptr;
  });
  return entry == queue.groups.end() ? nullptr : &*entry;
}

void raise(std::string& reason, const std::string& other) {
  if (severity(other) > severity(reason)) reason = other;
}

// The assignment of one workload, pod set by pod set.
class FlavorSearcher {
 public:
  FlavorSearcher(const Scene& scene, const AssignmentQuestion& question, const Oracle& oracle)
      : scene_{scene},
        question_{question},
        workload_{*question.workload},
        queue_{scene.queue(question.queue)},
        oracle_{oracle} {}

  Assignment run() {
    const std::vector<std::int64_t> counts =
        question_.counts.empty() ? pod_counts(workload_, scene_.settings.gates) : question_.counts;
    for (std::size_t i = 0; i < workload_.spec.pod_sets.size(); ++i) {
      PodSetAssignment assigned = assign(i, counts[i]);
      const bool failed = assigned.failed;
      append(std::move(assigned));
      if (failed) break;
    }
    if (result_.mode() == Mode::no_fit) result_.reason = no_fit_reason();
    return std::move(result_);
  }

 private:
  using Flavors = std::map<std::string, FlavorChoice>;

  // One search of a group: the best flavor up to now and all that were tried.
  struct GroupSearch {
    const ResourceGroup* group = nullptr;
    Requests requests = {};  // of the group's resources
    Offer best{Prospect::no_fit, std::numeric_limits<int>::max()};
    Flavors flavors = {};
    std::vector<FlavorAttempt> attempts = {};
  };

  [[nodiscard]] Requests requests_of(const PodSet& pod_set, std::int64_t count) const {
    Requests total;
    for (const auto& [resource, amount] : pod_set.requests) total[resource] = amount * count;
    if (group_of(queue_, kPods) != nullptr) total[kPods] = Amount{count};
    return total;
  }

  PodSetAssignment assign(std::size_t place, std::int64_t count) {
    const PodSet& pod_set = workload_.spec.pod_sets[place];
    PodSetAssignment assigned{.name = pod_set.name, .count = count, .requests = requests_of(pod_set, count)};
    for (const auto& [resource, amount] : assigned.requests) {
      const ResourceGroup* group = group_of(queue_, resource);
      if (assigned.flavors.contains(resource) || (group == nullptr && amount == Amount{})) continue;
      if (group == nullptr) {
        fail(assigned, kNoMatchingFlavor);
        break;
      }
      GroupSearch search = search_group(*group, place, resource, assigned);
      for (const FlavorAttempt& attempt : search.attempts) note(assigned.attempts, attempt);
      if (search.flavors.empty()) {
        fail(assigned, {});
        break;
      }
      assigned.flavors.merge(search.flavors);
    }
    return assigned;
  }

  static void fail(PodSetAssignment& assigned, const char* reason) {
    assigned.failed = true;
    assigned.flavors.clear();
    if (reason != nullptr) assigned.reason = reason;
  }

  // A flavor of two groups is as bad as in the worse one.
  static void note(std::vector<FlavorAttempt>& attempts, const FlavorAttempt& attempt) {
    const auto known = std::find_if(attempts.begin(), attempts.end(),
                                    [&](const FlavorAttempt& one) { return one.flavor == attempt.flavor; });
    if (known == attempts.end()) {
      attempts.push_back(attempt);
      return;
    }
    known->mode = std::min(known->mode, attempt.mode);
    known->borrow = std::max(known->borrow, attempt.borrow);
    if (attempt.prospect && (!known->prospect || *attempt.prospect < *known->prospect)) {
      known->prospect = attempt.prospect;
    }
    raise(known->reason, attempt.reason);
  }

  GroupSearch search_group(const ResourceGroup& group, std::size_t place, const std::string& resource,
                           const PodSetAssignment& assigned) {
    GroupSearch search{.group = &group};
    for (const auto& [name, amount] : assigned.requests) {
      if (first_with(group, name) != nullptr) search.requests[name] = amount;
    }
    const int count = static_cast<int>(group.flavors.size());
    int tried = -1;
    for (int i = first_to_try(place, resource); i < count; ++i) {
      tried = i;
      if (try_flavor(search, group.flavors[static_cast<std::size_t>(i)], workload_.spec.pod_sets[place],
                     resource))
        break;
    }
    for (auto& [name, choice] : search.flavors) choice.tried = place_of_last(tried, count);
    return search;
  }

  // Without fungibility the first flavor counts as the last one tried, whichever it was: there always are
  // more.
  [[nodiscard]] int place_of_last(int tried, int count) const {
    if (!scene_.settings.gates.has(Gate::flavor_fungibility)) return 0;
    return tried == count - 1 ? -1 : tried;
  }

  [[nodiscard]] int first_to_try(std::size_t place, const std::string& resource) const {
    if (!scene_.settings.gates.has(Gate::flavor_fungibility)) return 0;
    if (question_.resumed == nullptr || place >= question_.resumed->tried.size()) return 0;
    const auto& tried = question_.resumed->tried[place];
    const auto entry = tried.find(resource);
    return entry == tried.end() ? 0 : entry->second + 1;
  }

  [[nodiscard]] bool is_left_out(const std::string& flavor, const PodSet& pod_set,
                                 const std::string& resource) const {
    if (question_.only != nullptr) {
      const auto pods = question_.only->find(pod_set.name);
      if (pods == question_.only->end()) return true;
      const auto only = pods->second.find(resource);
      if (only == pods->second.end() || only->second != flavor) return true;
    }
    if (!scene_.settings.gates.has(Gate::concurrent_admission) || !workload_.spec.allowed_flavors)
      return false;
    const auto& allowed = *workload_.spec.allowed_flavors;
    return std::find(allowed.begin(), allowed.end(), flavor) == allowed.end();
  }

  // True if the search ends here.
  bool try_flavor(GroupSearch& search, const FlavorQuotas& flavor, const PodSet& pod_set,
                  const std::string& resource) {
    if (is_left_out(flavor.flavor, pod_set, resource)) return false;
    const auto known = scene_.configuration.flavors.find(flavor.flavor);
    if (known == scene_.configuration.flavors.end() || !admits(known->second, pod_set.nodes)) {
      search.attempts.push_back({.flavor = flavor.flavor, .reason = kNoMatchingFlavor});
      return false;
    }
    Offer offer{Prospect::fit, 0};
    Flavors flavors = offers(search, flavor.flavor, offer);
    const bool is_enough = ends_search(offer);
    if (is_enough || improves(offer, search.best)) {
      search.best = offer;
      search.flavors = std::move(flavors);
    }
    return is_enough;
  }

  // What the flavor offers for each resource; `worst` of all.
  Flavors offers(GroupSearch& search, const std::string& flavor, Offer& worst) {
    Flavors flavors;
    FlavorAttempt attempt{.flavor = flavor};
    for (const auto& [resource, amount] : search.requests) {
      const Offer offer = offer_of(flavor, resource, amount, attempt.reason);
      attempt.borrow = std::max(attempt.borrow, offer.borrow);
      if (is_better(worst, offer, queue_.fungibility.preference)) worst = offer;
      flavors[resource] = {.flavor = flavor, .mode = mode_of(offer.prospect), .borrow = offer.borrow};
    }
    attempt.mode = mode_of(worst.prospect);
    if (attempt.mode == Mode::preempt) attempt.prospect = worst.prospect;
    search.attempts.push_back(std::move(attempt));
    return flavors;
  }

  Offer offer_of(const std::string& flavor, const std::string& resource, Amount request,
                 std::string& reason) {
    const CellId cell = scene_.tree().cell(flavor, resource);
    const Amount amount = amount_of(result_.usage, cell) + request;
    if (amount > scene_.tree().potentially_available(question_.queue, cell)) {
      raise(reason, kExceedsMaxQuota);
      return {Prospect::no_fit, 0};
    }
    const CoveringSubtree covering = covering_subtree(scene_.tree(), question_.queue, cell, amount);
    const Amount free = std::max(Amount{}, scene_.tree().available(question_.queue, cell));
    if (amount <= free) return {Prospect::fit, covering.height};
    if (amount <= scene_.tree().nominal(question_.queue, cell) || covering.is_part || may_evict_borrowing()) {
      return oracle_(cell, amount);
    }
    raise(reason, kWaitingForQuota);
    return {Prospect::no_fit, covering.height};
  }

  [[nodiscard]] bool may_evict_borrowing() const {
    const Preemption& policy = queue_.preemption;
    const bool reclaims = policy.reclaim_within_cohort != PreemptionPolicy::never || policy.reclaim_unset;
    return policy.borrow_within_cohort.lower_priority || (scene_.settings.fair_sharing && reclaims);
  }

  [[nodiscard]] bool ends_search(const Offer& offer) const {
    if (offer.prospect <= Prospect::no_candidates) return false;
    if (!scene_.settings.gates.has(Gate::flavor_fungibility)) return offer.prospect == Prospect::fit;
    if (offer.prospect != Prospect::fit && queue_.fungibility.next_when_preempting) return false;
    return offer.borrow == 0 || !queue_.fungibility.next_when_borrowing;
  }

  [[nodiscard]] bool improves(const Offer& offer, const Offer& best) const {
    if (!scene_.settings.gates.has(Gate::flavor_fungibility)) return offer.prospect > best.prospect;
    return is_better(offer, best, queue_.fungibility.preference);
  }

  void append(PodSetAssignment assigned) {
    std::map<std::string, int> tried;
    for (const auto& [resource, choice] : assigned.flavors) {
      result_.borrow = std::max(result_.borrow, choice.borrow);
      add_to(result_.usage, scene_.tree().cell(choice.flavor, resource), assigned.requests.at(resource));
      tried[resource] = choice.tried;
    }
    result_.search.tried.push_back(std::move(tried));
    result_.pod_sets.push_back(std::move(assigned));
  }

  // Of flavors of a group the least reason counts, of groups and pod sets the worst.
  [[nodiscard]] std::string no_fit_reason() const {
    std::string worst;
    for (const PodSetAssignment& pod_set : result_.pod_sets) {
      if (pod_set.mode() != Mode::no_fit) continue;
      raise(worst, pod_set.attempts.empty() ? kNoMatchingFlavor : pod_set.reason);
      for (const ResourceGroup& group : queue_.groups) raise(worst, least_reason(group, pod_set));
    }
    return worst;
  }

  [[nodiscard]] static std::string least_reason(const ResourceGroup& group, const PodSetAssignment& pod_set) {
    const std::string* least = nullptr;
    for (const FlavorAttempt& attempt : pod_set.attempts) {
      const bool is_of_group =
          std::any_of(group.flavors.begin(), group.flavors.end(),
                      [&](const FlavorQuotas& flavor) { return flavor.flavor == attempt.flavor; });
      if (!is_of_group || attempt.mode != Mode::no_fit) continue;
      if (least == nullptr || severity(attempt.reason) < severity(*least)) least = &attempt.reason;
    }
    return least == nullptr ? std::string{} : *least;
  }

  const Scene& scene_;
  const AssignmentQuestion& question_;
  const Workload& workload_;
  const ClusterQueue& queue_;
  const Oracle& oracle_;
  Assignment result_;
};

}  // namespace

bool is_better(const Offer& a, const Offer& b, FlavorPreference preference) {
  if (a.prospect == Prospect::no_fit || b.prospect == Prospect::no_fit) return a.prospect > b.prospect;
  const bool a_helps = a.prospect != Prospect::no_candidates;
  if (a_helps != (b.prospect != Prospect::no_candidates)) return a_helps;
  if (preference == FlavorPreference::preemption_over_borrowing && a.borrow != b.borrow) {
    return a.borrow < b.borrow;
  }
  if (a.prospect != b.prospect) return a.prospect > b.prospect;
  return a.borrow < b.borrow;
}

int severity(const std::string& reason) {
  if (reason == kNoMatchingFlavor) return 3;
  if (reason == kExceedsMaxQuota) return 2;
  return reason == kWaitingForQuota ? 1 : 0;
}

std::vector<std::int64_t> pod_counts(const Workload& workload, const Gates& gates) {
  std::vector<std::int64_t> counts;
  for (const PodSet& pod_set : workload.spec.pod_sets) {
    const auto done = workload.status.reclaimable.find(pod_set.name);
    const bool fewer = gates.has(Gate::reclaimable_pods) && done != workload.status.reclaimable.end();
    counts.push_back(fewer ? std::max<std::int64_t>(0, pod_set.count - done->second) : pod_set.count);
  }
  return counts;
}

Mode PodSetAssignment::mode() const {
  if (failed) return Mode::no_fit;
  Mode worst = Mode::fit;
  for (const auto& [resource, choice] : flavors) worst = std::min(worst, choice.mode);
  return worst;
}

Mode Assignment::mode() const {
  if (is_deferred) return Mode::deferred_fit;
  if (pod_sets.empty()) return Mode::no_fit;
  Mode worst = Mode::fit;
  for (const PodSetAssignment& pod_set : pod_sets) worst = std::min(worst, pod_set.mode());
  return worst;
}

Admission Assignment::admission(const std::string& cluster_queue) const {
  Admission admission{.cluster_queue = cluster_queue};
  for (const PodSetAssignment& assigned : pod_sets) {
    PodSetAdmission& given = admission.pod_sets.emplace_back(PodSetAdmission{assigned.name, assigned.count});
    for (const auto& [resource, choice] : assigned.flavors) {
      given.flavors[resource] = choice.flavor;
      given.usage[resource] = assigned.requests.at(resource);
    }
  }
  return admission;
}

Claim Assignment::claim(const Workload& workload, NodeId queue, QuotaTree& tree) const {
  Claim claim{.preemptor = &workload, .queue = queue};
  for (const PodSetAssignment& assigned : pod_sets) {
    for (const auto& [resource, choice] : assigned.flavors) {
      const CellId cell = tree.cell(choice.flavor, resource);
      claim.want(cell, assigned.requests.at(resource));
      const bool is_new =
          std::find(claim.contested.begin(), claim.contested.end(), cell) == claim.contested.end();
      if (choice.mode == Mode::preempt && is_new) claim.contested.push_back(cell);
    }
  }
  return claim;
}

Offer offer_by_eviction(const Scene& scene, const Workload& workload, NodeId queue, CellId cell,
                        Amount amount) {
  const Claim claim{.preemptor = &workload, .queue = queue, .usage = {{cell, amount}}, .contested = {cell}};
  const std::vector<Victim> victims = find_victims(scene, claim);
  for (const Victim& victim : victims) scene.ledger.lift(victim.workload);
  const int borrow = covering_subtree(scene.tree(), queue, cell, amount).height;
  put_back(scene.ledger, victims);
  if (victims.empty()) return {Prospect::no_candidates, borrow};
  const bool from_own = std::any_of(victims.begin(), victims.end(), [&](const Victim& victim) {
    return scene.ledger.workload(victim.workload).status.admission->cluster_queue == scene.tree().name(queue);
  });
  return {from_own ? Prospect::preempt : Prospect::reclaim, borrow};
}

Assignment assign_flavors(const Scene& scene, const AssignmentQuestion& question, const Oracle& oracle) {
  return FlavorSearcher{scene, question, oracle}.run();
}

}  // namespace stockout::kueue
