#include "tools/kueue/case_workloads.h"

// Workloads of a case, and what they use.

#include <limits>
#include <set>
#include <utility>

#include "tools/kueue/case_objects.h"

namespace stockout::kueue {
namespace {

std::vector<LabelCondition> read_conditions(const std::vector<CaseValue>& rows) {
  std::vector<LabelCondition> conditions;
  for (const CaseValue& row : rows) {
    row.knows_only({"key", "operator", "values"});
    conditions.push_back({.key = row.at("key").text(),
                          .op = row.at("operator")
                                    .word<std::string>({{"In", "In"},
                                                        {"NotIn", "NotIn"},
                                                        {"Exists", "Exists"},
                                                        {"DoesNotExist", "DoesNotExist"},
                                                        {"Gt", "Gt"},
                                                        {"Lt", "Lt"}}),
                          .values = row.texts_of("values")});
  }
  return conditions;
}

// The terms themselves, or what stands around them in a pod of Kubernetes.
CaseValue find_terms(CaseValue value) {
  for (const std::string_view key :
       {"nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"}) {
    if (!value.is_object() || !value.has(key)) continue;
    value.knows_only({key});
    value = value.at(key);
  }
  return value;
}

// A term is a list of conditions, or an object that has one; without terms there is one.
std::vector<std::vector<LabelCondition>> read_affinity(const CaseValue& value) {
  const std::vector<CaseValue> rows = find_terms(value).items();
  if (!rows.empty() && rows.front().is_object() && rows.front().has("key")) return {read_conditions(rows)};
  std::vector<std::vector<LabelCondition>> terms;
  for (const CaseValue& row : rows) {
    if (row.is_object()) row.knows_only({"matchExpressions"});
    terms.push_back(read_conditions(row.is_object() ? row.list("matchExpressions") : row.items()));
  }
  return terms;
}

PodSet read_pod_set(const CaseValue& value) {
  value.knows_only(
      {"name", "count", "minCount", "requests", "nodeSelector", "affinity", "nodeAffinity", "tolerations"});
  PodSet pod_set{.name = value.at("name").text(), .count = value.at("count").integer(0, kMostPods)};
  if (const auto least = value.find("minCount")) pod_set.min_count = least->integer(0, kMostPods);
  for (const auto& [resource, amount] : value.members_of("requests")) {
    pod_set.requests[resource] = Amount::request(amount.amount().count());
  }
  if (const auto selector = value.find("nodeSelector")) pod_set.nodes.selector = read_labels(*selector);
  for (const std::string_view key : {"affinity", "nodeAffinity"}) {
    if (const auto affinity = value.find(key)) pod_set.nodes.terms = read_affinity(*affinity);
  }
  if (const auto list = value.find("tolerations")) pod_set.nodes.tolerations = read_tolerations(*list);
  return pod_set;
}

WorkloadSpec read_spec(const CaseValue& value) {
  WorkloadSpec spec{.local_queue = value.text_or("localQueue", {})};
  if (const auto priority = value.find("priority")) spec.priority = read_priority(*priority);
  if (const auto boost = value.find("priorityBoost")) spec.priority_boost = boost->text();
  for (const CaseValue& item : value.list("podsets")) spec.pod_sets.push_back(read_pod_set(item));
  if (const auto flavors = value.find("allowedFlavors")) spec.allowed_flavors = flavors->texts();
  spec.active = !value.find("active") || value.is_set("active");
  if (const auto most = value.find("maximumExecutionTimeSeconds")) spec.max_execution = most->length();
  return spec;
}

std::optional<RequeueState> read_requeue(const CaseValue& value) {
  std::optional<RequeueState> requeue;
  if (const auto state = value.find("requeueState")) requeue = read_requeue_state(*state);
  const auto condition = value.find("requeued");
  if (!condition || read_condition(*condition).status) return requeue;
  if (!requeue) requeue.emplace();
  requeue->is_held = true;
  return requeue;
}

WorkloadStatus read_status(const CaseValue& value) {
  WorkloadStatus status;
  if (const auto admission = value.find("admission")) status.admission = read_admission(*admission);
  if (const auto at = value.find("reservedAt")) status.reserved = at->time();
  if (value.is_set("admitted")) status.admitted = status.reserved;
  if (const auto ready = value.find("podsReady")) status.pods_ready = read_condition(*ready);
  for (const CaseValue& item : value.list("reclaimable")) {
    status.reclaimable[item.at("name").text()] = item.at("count").integer(0, kMostPods);
  }
  for (const CaseValue& item : value.list("checks")) status.checks.push_back(read_check(item));
  if (const auto evicted = value.find("evicted")) status.evicted = read_condition(*evicted);
  if (const auto preempted = value.find("preempted")) status.preempted = read_condition(*preempted);
  status.requeue = read_requeue(value);
  status.finished = value.is_set("finished");
  return status;
}

CellAmount read_cell_amount(const CaseValue& row, QuotaTree& tree, std::int64_t least) {
  row.knows_only({"queue", "flavor", "resource", "amount"});
  const std::int64_t amount = row.at("amount").integer(least, std::numeric_limits<std::int64_t>::max());
  return {tree.cell(row.at("flavor").text(), row.at("resource").text()), Amount::request(amount)};
}

}  // namespace

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
  value.knows_only({"name",
                    "uid",
                    "localQueue",
                    "queue",
                    "priority",
                    "priorityBoost",
                    "created",
                    "podsets",
                    "reclaimable",
                    "allowedFlavors",
                    "namespaceMatches",
                    "active",
                    "admission",
                    "quotaReserved",
                    "reservedAt",
                    "admitted",
                    "finished",
                    "evicted",
                    "preempted",
                    "podsReady",
                    "checks",
                    "requeueState",
                    "clusterQueue",
                    "localQueueUsage",
                    "borrowing",
                    "isPreemptor",
                    "updated",
                    "requeued",
                    "maximumExecutionTimeSeconds"});
  Workload workload{.id = id, .name = value.at("name").name()};
  workload.uid = value.text_or("uid", {});
  workload.cluster_queue = value.text_or("queue", value.text_or("clusterQueue", {}));
  if (const auto created = value.find("created")) workload.created = created->time();
  workload.namespace_matches = !value.find("namespaceMatches") || value.is_set("namespaceMatches");
  workload.spec = read_spec(value);
  workload.status = read_status(value);
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
