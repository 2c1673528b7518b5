#include "tests/support/kueue_by_the_book/flavors.h"

#include <algorithm>

namespace stockout::test::by_the_book {
namespace {

using kueue::FlavorFungibility;
using kueue::Gate;
using kueue::ResourceGroup;
using kueue::Workload;

constexpr const char* kNoMatchingFlavor = "NoMatchingFlavor";
constexpr const char* kExceedsMaxQuota = "ExceedsMaxQuota";
constexpr const char* kWaitingForQuota = "WaitingForQuota";

// Rule 21: whether a is the better.
bool is_preferred(const Offer& a, const Offer& b, const FlavorFungibility& rules) {
  if (a.outlook == Outlook::no_fit) return false;
  if (b.outlook == Outlook::no_fit) return true;
  const bool a_is_vain = a.outlook == Outlook::no_candidates;
  const bool b_is_vain = b.outlook == Outlook::no_candidates;
  if (a_is_vain != b_is_vain) return b_is_vain;
  const bool levels_first = rules.preference == kueue::FlavorPreference::preemption_over_borrowing;
  if (levels_first && a.level != b.level) return a.level < b.level;
  if (a.outlook != b.outlook) return a.outlook > b.outlook;
  return a.level < b.level;
}

bool goes_on(const Offer& offer, const FlavorFungibility& rules) {
  if (offer.outlook <= Outlook::no_candidates) return true;
  if (offer.outlook != Outlook::fit && rules.next_when_preempting) return true;
  return offer.level > 0 && rules.next_when_borrowing;
}

int severity(const std::string& reason) {
  if (reason == kNoMatchingFlavor) return 3;
  if (reason == kExceedsMaxQuota) return 2;
  return reason == kWaitingForQuota ? 1 : 0;
}

std::string worse(const std::string& a, const std::string& b) { return severity(a) >= severity(b) ? a : b; }

const ResourceGroup* group_of(const kueue::ClusterQueue& queue, const std::string& resource) {
  for (const ResourceGroup& group : queue.groups) {
    if (group.covers(resource)) return &group;
  }
  return nullptr;
}

class Planner {
 public:
  Planner(const Book& book, const PlanQuestion& question)
      : book_{book}, question_{question}, queue_{book.rules(question.workload->cluster_queue)} {}

  Plan run() {
    const auto& pod_sets = question_.workload->spec.pod_sets;
    for (std::size_t i = 0; i < pod_sets.size(); ++i) {
      PodSetChoice choice = choose(i);
      for (const auto& [resource, one] : choice.flavors) {
        plan_.level = std::max(plan_.level, one.level);
        plan_.amounts[{one.flavor, resource}] += choice.requests.at(resource);
      }
      plan_.pod_sets.push_back(std::move(choice));
      if (plan_.pod_sets.back().failed) break;
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] bool has(Gate gate) const { return book_.settings->gates.has(gate); }

  // Rules 15 and 16.
  PodSetChoice choose(std::size_t number) {
    const kueue::PodSet& pod_set = question_.workload->spec.pod_sets[number];
    PodSetChoice choice{.name = pod_set.name,
                        .count = pods_left(*question_.workload, pod_set, *book_.settings)};
    if (!question_.counts.empty()) choice.count = question_.counts[number];
    for (const auto& [resource, amount] : pod_set.requests)
      choice.requests[resource] = amount.count() * choice.count;
    if (group_of(queue_, "pods") != nullptr) choice.requests["pods"] = choice.count;
    for (const auto& [resource, amount] : choice.requests) {
      if (choice.flavors.contains(resource)) continue;
      const ResourceGroup* group = group_of(queue_, resource);
      if (group == nullptr && amount == 0) continue;
      if (group == nullptr) choice.reason = kNoMatchingFlavor;
      if (group != nullptr && search(*group, number, resource, choice)) continue;
      choice.failed = true;
      choice.flavors.clear();
      break;
    }
    return choice;
  }

  // Rule 22.
  [[nodiscard]] std::size_t first_place(std::size_t number, const std::string& resource) const {
    if (!has(Gate::flavor_fungibility) || question_.tried == nullptr) return 0;
    if (number >= question_.tried->size()) return 0;
    const auto last = (*question_.tried)[number].find(resource);
    return last == (*question_.tried)[number].end() ? 0 : static_cast<std::size_t>(last->second + 1);
  }

  // Rule 21. Whether there is a flavor for the group's resources.
  bool search(const ResourceGroup& group, std::size_t number, const std::string& resource,
              PodSetChoice& choice) {
    std::map<std::string, FlavorChoice> best;
    Offer best_offer{.outlook = Outlook::no_fit};
    int last = -1;
    for (std::size_t i = first_place(number, resource); i < group.flavors.size(); ++i) {
      last = static_cast<int>(i);
      const std::string& flavor = group.flavors[i].flavor;
      if (is_excluded(flavor, choice.name, resource)) continue;
      if (!may_use(flavor, number)) {
        choice.attempts.push_back({.flavor = flavor, .reason = kNoMatchingFlavor});
        continue;
      }
      std::map<std::string, FlavorChoice> given;
      const Offer offer = try_flavor(group, flavor, choice, given);
      if (!has(Gate::flavor_fungibility)) {
        if (offer.outlook <= best_offer.outlook) continue;
      } else if (goes_on(offer, queue_.fungibility) && !is_preferred(offer, best_offer, queue_.fungibility)) {
        continue;
      }
      best = given;
      best_offer = offer;
      const bool is_end =
          has(Gate::flavor_fungibility) ? !goes_on(offer, queue_.fungibility) : offer.outlook == Outlook::fit;
      if (is_end) break;
    }
    const bool was_last = last == static_cast<int>(group.flavors.size()) - 1;
    for (auto& [name, one] : best) {
      one.tried = !has(Gate::flavor_fungibility) ? 0 : (was_last ? -1 : last);
      choice.flavors[name] = one;
    }
    return !best.empty();
  }

  [[nodiscard]] bool is_excluded(const std::string& flavor, const std::string& pod_set,
                                 const std::string& resource) const {
    if (question_.only == nullptr) return false;
    const auto named = question_.only->find(pod_set);
    if (named == question_.only->end()) return true;
    const auto one = named->second.find(resource);
    return one == named->second.end() || one->second != flavor;
  }

  [[nodiscard]] bool may_use(const std::string& flavor, std::size_t number) const {
    const auto found = book_.objects->flavors.find(flavor);
    return found != book_.objects->flavors.end() &&
           is_usable(found->second, question_.workload->spec.pod_sets[number].nodes);
  }

  // Rule 20: of its resources the worst offer counts.
  Offer try_flavor(const ResourceGroup& group, const std::string& flavor, PodSetChoice& choice,
                   std::map<std::string, FlavorChoice>& given) {
    Offer worst{.outlook = Outlook::fit};
    Attempt attempt{.flavor = flavor};
    for (const auto& [resource, amount] : choice.requests) {
      if (!group.covers(resource)) continue;
      const Offer offer = offer_of({flavor, resource}, amount, attempt);
      attempt.level = std::max(attempt.level, offer.level);
      if (is_preferred(worst, offer, queue_.fungibility)) worst = offer;
      given[resource] = {.flavor = flavor, .outlook = offer.outlook, .level = offer.level};
    }
    attempt.outlook = worst.outlook;
    choice.attempts.push_back(attempt);
    return worst;
  }

  // Rule 18.
  Offer offer_of(const Cell& cell, std::int64_t request, Attempt& attempt) {
    const Node own = queue_node(queue_.name);
    const auto assumed = plan_.amounts.find(cell);
    const std::int64_t amount = request + (assumed == plan_.amounts.end() ? 0 : assumed->second);
    if (amount > book_.potentially_available(own, cell)) {
      attempt.reason = worse(attempt.reason, kExceedsMaxQuota);
      return {.outlook = Outlook::no_fit};
    }
    const Book::Level level = book_.level(queue_.name, cell, amount);
    if (book_.fits(queue_.name, {{cell, amount}})) return {Outlook::fit, level.height};
    if (amount > book_.subtree_quota(own, cell) && !level.is_part && !may_preempt_and_borrow()) {
      attempt.reason = worse(attempt.reason, kWaitingForQuota);
      return {Outlook::no_fit, level.height};
    }
    return offer_by_eviction(cell, amount);
  }

  [[nodiscard]] bool may_preempt_and_borrow() const {
    const kueue::Preemption& rules = queue_.preemption;
    if (rules.borrow_within_cohort.lower_priority) return true;
    const bool may_reclaim =
        rules.reclaim_unset || rules.reclaim_within_cohort != kueue::PreemptionPolicy::never;
    return book_.settings->fair_sharing && may_reclaim;
  }

  [[nodiscard]] Offer offer_by_eviction(const Cell& cell, std::int64_t amount) const {
    const Wish wish{question_.workload, queue_.name, {{cell, amount}}, {cell}};
    const std::vector<Leaver> leaving = leavers(book_, wish);
    const int level = book_.without(ids_of(leaving)).level(queue_.name, cell, amount).height;
    if (leaving.empty()) return {Outlook::no_candidates, level};
    const bool any_own = std::any_of(leaving.begin(), leaving.end(), [&](const Leaver& one) {
      return one.workload->status.admission->cluster_queue == queue_.name;
    });
    return {any_own ? Outlook::preempt : Outlook::reclaim, level};
  }

  const Book& book_;
  const PlanQuestion& question_;
  const kueue::ClusterQueue& queue_;
  Plan plan_;
};

Result result_of(const PodSetChoice& pod_set) {
  if (pod_set.failed) return Result::no_fit;
  Result worst = Result::fit;
  for (const auto& [resource, one] : pod_set.flavors) {
    if (one.outlook != Outlook::fit) worst = Result::preempt;
  }
  return worst;
}

}  // namespace

Result Plan::result() const {
  Result worst = pod_sets.empty() ? Result::no_fit : Result::fit;
  for (const PodSetChoice& pod_set : pod_sets) worst = std::min(worst, result_of(pod_set));
  return worst;
}

Wish Plan::wish(const Workload& workload) const {
  Wish wish{.who = &workload, .queue = workload.cluster_queue, .amounts = amounts};
  std::erase_if(wish.amounts, [](const auto& one) { return one.second == 0; });
  for (const PodSetChoice& pod_set : pod_sets) {
    for (const auto& [resource, one] : pod_set.flavors) {
      if (one.outlook != Outlook::fit) wish.contested.insert({one.flavor, resource});
    }
  }
  return wish;
}

kueue::TriedFlavors Plan::tried() const {
  kueue::TriedFlavors all;
  for (const PodSetChoice& pod_set : pod_sets) {
    auto& places = all.emplace_back();
    for (const auto& [resource, one] : pod_set.flavors) places[resource] = one.tried;
  }
  return all;
}

// The mildest of a group's flavors counts, of groups and pod sets the most severe.
std::string Plan::reason(const kueue::ClusterQueue& queue) const {
  std::string all;
  for (const PodSetChoice& pod_set : pod_sets) {
    if (result_of(pod_set) != Result::no_fit) continue;
    std::string own = pod_set.attempts.empty() ? kNoMatchingFlavor : pod_set.reason;
    for (const ResourceGroup& group : queue.groups) {
      std::optional<std::string> mildest;
      for (const Attempt& attempt : pod_set.attempts) {
        const bool is_here = std::any_of(group.flavors.begin(), group.flavors.end(),
                                         [&](const auto& one) { return one.flavor == attempt.flavor; });
        if (!is_here || attempt.outlook != Outlook::no_fit) continue;
        if (!mildest || severity(attempt.reason) < severity(*mildest)) mildest = attempt.reason;
      }
      if (mildest) own = worse(own, *mildest);
    }
    all = worse(all, own);
  }
  return all;
}

Plan plan_flavors(const Book& book, const PlanQuestion& question) { return Planner{book, question}.run(); }

}  // namespace stockout::test::by_the_book
