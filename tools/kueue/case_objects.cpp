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

FlavorFungibility read_fungibility(const CaseValue& value) {
  value.knows_only({"whenCanBorrow", "whenCanPreempt", "preference"});
  FlavorFungibility rules;
  const auto goes_on = [](const CaseValue& word) {
    return word.word<bool>({{"MayStopSearch", false}, {"TryNextFlavor", true}});
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

PodSet read_pod_set(const CaseValue& value) {
  value.knows_only({"name", "count", "minCount", "requests", "nodeSelector", "tolerations"});
  PodSet pod_set{.name = value.at("name").text(), .count = value.at("count").integer(0, kMostPods)};
  if (const auto least = value.find("minCount")) pod_set.min_count = least->integer(0, kMostPods);
  for (const auto& [resource, amount] : value.members_of("requests")) {
    pod_set.requests[resource] = Amount::request(amount.amount().count());
  }
  if (const auto selector = value.find("nodeSelector")) pod_set.nodes.selector = read_labels(*selector);
  if (const auto list = value.find("tolerations")) pod_set.nodes.tolerations = read_tolerations(*list);
  return pod_set;
}

CellAmount read_cell_amount(const CaseValue& row, QuotaTree& tree, std::int64_t least) {
  row.knows_only({"queue", "flavor", "resource", "amount"});
  const std::int64_t amount = row.at("amount").integer(least, std::numeric_limits<std::int64_t>::max());
  return {tree.cell(row.at("flavor").text(), row.at("resource").text()), Amount::request(amount)};
}

template <typename Item>
void add_named(std::map<std::string, Item>& all, Item item, const CaseValue& value) {
  const std::string name = item.name;
  if (!all.emplace(name, std::move(item)).second) value.odd(fmt::format("there are two called \"{}\"", name));
}

std::int32_t read_priority(const CaseValue& value) {
  return static_cast<std::int32_t>(
      value.integer(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

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

PodSetAdmission read_pod_set_admission(const CaseValue& value) {
  value.knows_only({"name", "count", "flavors", "usage"});
  PodSetAdmission given{.pod_set = value.at("name").text(), .count = value.at("count").integer(0, kMostPods)};
  for (const auto& [resource, flavor] : value.members_of("flavors")) given.flavors[resource] = flavor.text();
  for (const auto& [resource, amount] : value.members_of("usage")) {
    given.usage[resource] = Amount::request(amount.amount().count());
  }
  return given;
}

Admission read_admission(const CaseValue& value) {
  value.knows_only({"clusterQueue", "podsets"});
  Admission admission{.cluster_queue = value.at("clusterQueue").text()};
  for (const CaseValue& item : value.list("podsets")) {
    admission.pod_sets.push_back(read_pod_set_admission(item));
  }
  return admission;
}

Condition read_condition(const CaseValue& value) {
  value.knows_only({"status", "reason", "at"});
  const auto at = value.find("at");
  const CaseValue status = value.at("status");
  return {.status = status.flag(), .reason = value.text_or("reason", {}), .at = at ? at->time() : kStart};
}

RequeueState read_requeue_state(const CaseValue& value) {
  value.knows_only({"count", "requeueAt"});
  RequeueState state;
  if (const auto count = value.find("count")) state.count = count->times();
  if (const auto at = value.find("requeueAt")) state.at = at->time();
  return state;
}

CheckState read_check_state(const CaseValue& value) {
  return value.word<CheckState>({{"Pending", CheckState::pending},
                                 {"Ready", CheckState::ready},
                                 {"Retry", CheckState::retry},
                                 {"Rejected", CheckState::rejected}});
}

Check read_check(const CaseValue& value) {
  value.knows_only({"name", "state", "transitionAt", "requeueAfterSeconds", "retryCount"});
  Check check{.name = value.at("name").text(), .state = read_check_state(value.at("state"))};
  if (const auto at = value.find("transitionAt")) check.changed = at->time();
  if (const auto delay = value.find("requeueAfterSeconds")) check.requeue_after = delay->seconds();
  if (const auto count = value.find("retryCount")) check.retries = count->times();
  return check;
}

Workload read_workload(const CaseValue& value, WorkloadId id) {
  value.knows_only(
      {"name",      "uid",           "localQueue",  "queue",          "priority",         "priorityBoost",
       "created",   "podsets",       "reclaimable", "allowedFlavors", "namespaceMatches", "active",
       "admission", "quotaReserved", "reservedAt",  "admitted",       "finished",         "evicted",
       "preempted", "podsReady",     "checks",      "requeueState",   "clusterQueue",     "localQueueUsage",
       "borrowing", "isPreemptor",   "updated",     "requeued"});
  Workload workload{.id = id, .name = value.at("name").name()};
  workload.uid = value.text_or("uid", {});
  workload.spec.local_queue = value.text_or("localQueue", {});
  workload.cluster_queue = value.text_or("queue", value.text_or("clusterQueue", {}));
  if (const auto priority = value.find("priority")) workload.spec.priority = read_priority(*priority);
  if (const auto boost = value.find("priorityBoost")) workload.spec.priority_boost = boost->text();
  if (const auto created = value.find("created")) workload.created = created->time();
  for (const CaseValue& item : value.list("podsets")) workload.spec.pod_sets.push_back(read_pod_set(item));
  for (const CaseValue& item : value.list("reclaimable")) {
    workload.status.reclaimable[item.at("name").text()] = item.at("count").integer(0, kMostPods);
  }
  if (const auto flavors = value.find("allowedFlavors")) workload.spec.allowed_flavors = flavors->texts();
  if (const auto matches = value.find("namespaceMatches")) workload.namespace_matches = matches->flag();
  if (const auto active = value.find("active")) workload.spec.active = active->flag();
  if (const auto admission = value.find("admission")) workload.status.admission = read_admission(*admission);
  if (const auto at = value.find("reservedAt")) workload.status.reserved = at->time();
  if (value.is_set("admitted")) workload.status.admitted = workload.status.reserved;
  if (const auto finished = value.find("finished")) workload.status.finished = finished->flag();
  if (const auto evicted = value.find("evicted")) workload.status.evicted = read_condition(*evicted);
  if (const auto preempted = value.find("preempted")) workload.status.preempted = read_condition(*preempted);
  if (const auto ready = value.find("podsReady")) workload.status.pods_ready = read_condition(*ready);
  for (const CaseValue& item : value.list("checks")) workload.status.checks.push_back(read_check(item));
  if (const auto requeued = value.find("requeued")) {
    workload.status.requeue_held = !read_condition(*requeued).status;
  }
  if (const auto state = value.find("requeueState")) workload.status.requeue = read_requeue_state(*state);
  return workload;
}

std::vector<Workload> read_workloads(const std::vector<CaseValue>& list) {
  std::vector<Workload> all;
  std::set<std::string> names;
  for (const CaseValue& item : list) {
    all.push_back(read_workload(item, WorkloadId{static_cast<std::uint32_t>(all.size())}));
    if (!names.insert(all.back().name).second) item.odd(kTwoOfAName);
  }
  return all;
}

std::vector<Workload> read_admitted(const std::vector<CaseValue>& list) {
  std::vector<Workload> all = read_workloads(list);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].has_quota()) list[i].odd("must have an admission");
  }
  return all;
}

// What is reserved in a queue that uses more than it may is negative.
Usage read_usage(const std::vector<CaseValue>& list, QuotaTree& tree) {
  Usage usage;
  for (const CaseValue& row : list) {
    const auto [cell, amount] = read_cell_amount(row, tree, std::numeric_limits<std::int64_t>::min());
    add_to(usage, cell, amount);
  }
  return usage;
}

void add_usage(const std::vector<CaseValue>& list, QuotaTree& tree) {
  for (const CaseValue& row : list) {
    const auto queue = tree.queue(row.at("queue").text());
    if (!queue) row.at("queue").odd("there is no such cluster queue");
    tree.add(*queue, {read_cell_amount(row, tree, 0)});
  }
}

}  // namespace stockout::kueue
