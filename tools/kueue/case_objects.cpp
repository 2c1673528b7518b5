#include "tools/kueue/case_objects.h"

#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace stockout::kueue {
namespace {

constexpr std::int64_t kMostGroups = 1'000;
constexpr double kMostWeight = 1e18;
constexpr std::size_t kMostLevels = 100;

std::optional<Amount> read_limit(const CaseValue& value, std::string_view key) {
  const auto limit = value.find(key);
  return limit ? std::optional{limit->amount()} : std::nullopt;
}

FlavorQuotas& flavor_of(ResourceGroup& group, const std::string& name) {
  for (FlavorQuotas& flavor : group.flavors) {
    if (flavor.flavor == name) return flavor;
  }
  return group.flavors.emplace_back(FlavorQuotas{.flavor = name, .quotas = {}});
}

// A row for each flavor and resource; `group` numbers groups, and the order of rows is that of flavors.
std::vector<ResourceGroup> read_groups(const std::vector<CaseValue>& list) {
  std::vector<ResourceGroup> groups;
  for (const CaseValue& row : list) {
    row.knows_only({"group", "name", "resource", "nominal", "borrowingLimit", "lendingLimit"});
    const auto place = static_cast<std::size_t>(row.at("group").integer(0, kMostGroups));
    if (place >= groups.size()) groups.resize(place + 1);
    FlavorQuotas& flavor = flavor_of(groups[place], row.at("name").name());
    const auto resource = row.find("resource");
    if (!resource) continue;
    const Quota quota{.nominal = read_limit(row, "nominal").value_or(Amount{}),
                      .borrowing_limit = read_limit(row, "borrowingLimit"),
                      .lending_limit = read_limit(row, "lendingLimit")};
    if (!flavor.quotas.emplace(resource->text(), quota).second) {
      row.odd("this resource of this flavor has a quota already");
    }
  }
  return groups;
}

Preemption read_preemption(const CaseValue& value) {
  value.knows_only({"withinClusterQueue", "reclaimWithinCohort", "borrowWithinCohort", "reclaimUnset"});
  Preemption rules;
  if (const auto within = value.find("withinClusterQueue")) rules.within_queue = read_policy(*within);
  if (const auto reclaim = value.find("reclaimWithinCohort"))
    rules.reclaim_within_cohort = read_policy(*reclaim);
  if (const auto unset = value.find("reclaimUnset")) rules.reclaim_unset = unset->flag();
  if (const auto borrow = value.find("borrowWithinCohort")) {
    rules.borrow_within_cohort = read_borrow_within_cohort(*borrow);
  }
  return rules;
}

// v1beta1 says "Borrow" and "Preempt" for what v1beta2 calls "MayStopSearch".
FlavorFungibility read_fungibility(const CaseValue& value) {
  value.knows_only({"whenCanBorrow", "whenCanPreempt", "preference"});
  FlavorFungibility rules;
  const auto goes_on = [](const CaseValue& word) {
    return word.word<bool>(
        {{"MayStopSearch", false}, {"Borrow", false}, {"Preempt", false}, {"TryNextFlavor", true}});
  };
  if (const auto borrow = value.find("whenCanBorrow")) rules.next_when_borrowing = goes_on(*borrow);
  if (const auto preempt = value.find("whenCanPreempt")) rules.next_when_preempting = goes_on(*preempt);
  if (const auto preference = value.find("preference")) {
    rules.preference = preference->word<FlavorPreference>(
        {{"BorrowingOverPreemption", FlavorPreference::borrowing_over_preemption},
         {"PreemptionOverBorrowing", FlavorPreference::preemption_over_borrowing}});
  }
  return rules;
}

std::vector<RequiredCheck> read_required_checks(const CaseValue& value) {
  std::vector<RequiredCheck> checks;
  if (const auto names = value.find("admissionChecks")) {
    for (const std::string& name : names->texts()) checks.push_back({.name = name});
  }
  for (const CaseValue& rule : value.list("admissionCheckStrategy")) {
    rule.knows_only({"name", "onFlavors"});
    RequiredCheck& check = checks.emplace_back(RequiredCheck{.name = rule.at("name").text()});
    if (const auto flavors = rule.find("onFlavors")) check.flavors = flavors->texts();
  }
  return checks;
}

double read_weight(const CaseValue& value) {
  const auto weight = value.find("fairWeight");
  return weight ? weight->number(0, kMostWeight) : 1;
}

template <typename Item>
void add_named(std::map<std::string, Item>& all, Item item, const CaseValue& value) {
  const std::string name = item.name;
  if (!all.emplace(name, std::move(item)).second) value.odd(fmt::format("there are two called \"{}\"", name));
}

}  // namespace

std::int32_t read_priority(const CaseValue& value) {
  return static_cast<std::int32_t>(
      value.integer(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

Labels read_labels(const CaseValue& value) {
  Labels labels;
  for (const auto& [key, label] : value.members()) labels[key] = label.text();
  return labels;
}

std::vector<Toleration> read_tolerations(const CaseValue& list) {
  std::vector<Toleration> all;
  for (const CaseValue& one : list.items()) {
    one.knows_only({"key", "operator", "value", "effect", "tolerationSeconds"});  // those say for how long
    all.push_back({.key = one.text_or("key", {}),
                   .op = one.text_or("operator", "Equal"),
                   .value = one.text_or("value", {}),
                   .effect = one.text_or("effect", {})});
  }
  return all;
}

std::vector<Taint> read_taints(const CaseValue& list) {
  std::vector<Taint> all;
  for (const CaseValue& one : list.items()) {
    one.knows_only({"key", "value", "effect", "timeAdded"});
    all.push_back({.key = one.at("key").text(),
                   .value = one.text_or("value", {}),
                   .effect = one.text_or("effect", "NoSchedule")});
  }
  return all;
}

PreemptionPolicy read_policy(const CaseValue& value) {
  return value.word<PreemptionPolicy>(
      {{"Never", PreemptionPolicy::never},
       {"LowerPriority", PreemptionPolicy::lower_priority},
       {"LowerOrNewerEqualPriority", PreemptionPolicy::lower_or_newer_equal_priority},
       {"Any", PreemptionPolicy::any}});
}

BorrowWithinCohort read_borrow_within_cohort(const CaseValue& value) {
  value.knows_only({"policy", "maxPriorityThreshold"});
  BorrowWithinCohort rule;
  const auto policy = value.find("policy");
  if (policy) rule.lower_priority = policy->word<bool>({{"Never", false}, {"LowerPriority", true}});
  if (const auto most = value.find("maxPriorityThreshold")) rule.max_priority = read_priority(*most);
  return rule;
}

QueueingStrategy read_queueing_strategy(const CaseValue& value) {
  const auto strategy = value.find("queueingStrategy");
  if (!strategy) return QueueingStrategy::best_effort_fifo;
  return strategy->word<QueueingStrategy>({{"BestEffortFIFO", QueueingStrategy::best_effort_fifo},
                                           {"StrictFIFO", QueueingStrategy::strict_fifo}});
}

StopPolicy read_stop(const CaseValue& value) {
  const auto policy = value.find("stopPolicy");
  if (!policy) return StopPolicy::none;
  return policy->word<StopPolicy>(
      {{"None", StopPolicy::none}, {"Hold", StopPolicy::hold}, {"HoldAndDrain", StopPolicy::hold_and_drain}});
}

// Deeper trees than anybody has would take deeper calls than a machine has.
void check_depth(const Configuration& configuration, const CaseValue& value) {
  for (const auto& [name, cohort] : configuration.cohorts) {
    std::set<std::string> above{name};
    const Cohort* at = &cohort;
    while (at != nullptr && !at->parent.empty() && above.insert(at->parent).second) {
      if (above.size() > kMostLevels) {
        value.fail(fmt::format("has more than {} levels above \"{}\"", kMostLevels, name));
      }
      const auto up = configuration.cohorts.find(at->parent);
      at = up == configuration.cohorts.end() ? nullptr : &up->second;
    }
  }
}

ResourceFlavor read_flavor(const CaseValue& value) {
  value.knows_only({"name", "labels", "taints", "tolerations"});
  ResourceFlavor flavor{.name = value.at("name").name()};
  if (const auto labels = value.find("labels")) flavor.labels = read_labels(*labels);
  if (const auto taints = value.find("taints")) flavor.taints = read_taints(*taints);
  if (const auto list = value.find("tolerations")) flavor.tolerations = read_tolerations(*list);
  return flavor;
}

Cohort read_cohort(const CaseValue& value) {
  value.knows_only({"name", "parent", "flavors", "fairWeight"});
  return {.name = value.at("name").name(),
          .parent = value.text_or("parent", {}),
          .groups = read_groups(value.list("flavors")),
          .fair_weight = read_weight(value)};
}

ClusterQueue read_cluster_queue(const CaseValue& value) {
  value.knows_only({"name", "cohort", "queueingStrategy", "flavors", "preemption", "flavorFungibility",
                    "fairWeight", "admissionChecks", "admissionCheckStrategy", "admissionScope", "stopPolicy",
                    "active", "namespaceSelector"});
  ClusterQueue queue{.name = value.at("name").name(), .cohort = value.text_or("cohort", {})};
  queue.strategy = read_queueing_strategy(value);
  queue.groups = read_groups(value.list("flavors"));
  if (const auto rules = value.find("preemption")) queue.preemption = read_preemption(*rules);
  if (const auto rules = value.find("flavorFungibility")) queue.fungibility = read_fungibility(*rules);
  queue.fair_weight = read_weight(value);
  queue.checks = read_required_checks(value);
  queue.stop = read_stop(value);
  const bool is_active = !value.find("active") || value.is_set("active");
  if (!is_active && queue.stop == StopPolicy::none) queue.stop = StopPolicy::hold;
  if (const auto scope = value.find("admissionScope")) {
    queue.usage_based_admission =
        scope->word<bool>({{"UsageBasedAdmissionFairSharing", true}, {"NoAdmissionFairSharing", false}});
  }
  return queue;
}

LocalQueue read_local_queue(const CaseValue& value) {
  value.knows_only({"name", "clusterQueue", "fairWeight", "stopPolicy"});
  return {.name = value.at("name").name(),
          .cluster_queue = value.text_or("clusterQueue", {}),
          .fair_weight = read_weight(value),
          .stop = read_stop(value)};
}

Configuration read_configuration(const CaseValue& value) {
  Configuration all;
  const auto each = [&](std::string_view key, const auto& take) {
    for (const CaseValue& item : value.list(key)) take(item);
  };
  each("flavors", [&](const CaseValue& item) { add_named(all.flavors, read_flavor(item), item); });
  each("cohorts", [&](const CaseValue& item) { add_named(all.cohorts, read_cohort(item), item); });
  each("clusterQueues",
       [&](const CaseValue& item) { add_named(all.cluster_queues, read_cluster_queue(item), item); });
  each("localQueues",
       [&](const CaseValue& item) { add_named(all.local_queues, read_local_queue(item), item); });
  if (const auto cohorts = value.find("cohorts")) check_depth(all, *cohorts);
  return all;
}

}  // namespace stockout::kueue
