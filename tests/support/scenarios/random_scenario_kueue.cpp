#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/support/scenarios/random_scenario_plan.h"

// Kueue before some strategies of a scenario file at random: few GPUs, so that jobs wait and evict one
// another.
namespace stockout::test {
namespace {

using FlavorNames = std::vector<std::string>;

FlavorNames flavors_of(ScenarioPlan& plan) {
  FlavorNames flavors;
  for (std::int64_t i = plan.number(1, 3); i > 0; --i) flavors.push_back(fmt::format("flavor-{}", i));
  return flavors;
}

Json quotas(ScenarioPlan& plan, const FlavorNames& flavors, bool shares) {
  Json all = Json::array();
  for (const std::string& flavor : flavors) {
    if (!all.empty() && plan.chance(20)) continue;
    const std::int64_t nominal = plan.number(plan.chance(25) ? 0 : 4, 40);
    Json quota{{"flavor", flavor}, {"nominal_quota", nominal}};
    if (shares) plan.maybe(30, quota, "borrowing_limit", [&] { return plan.number(0, 24); });
    if (shares) plan.maybe(30, quota, "lending_limit", [&] { return plan.number(0, nominal); });
    all.push_back(quota);
  }
  return all;
}

Json preemption(ScenarioPlan& plan, bool shares, bool is_fair) {
  Json rule = Json::object();
  plan.maybe(70, rule, "within_cluster_queue", [&] {
    return plan.word({"never", "lower_priority", "lower_or_newer_equal_priority"});
  });
  if (!shares) return rule;
  plan.maybe(80, rule, "reclaim_within_cohort", [&] {
    return plan.word({"never", "lower_priority", "lower_or_newer_equal_priority", "any"});
  });
  const bool reclaims = rule.value("reclaim_within_cohort", "never") != "never";
  if (!reclaims || is_fair) return rule;
  plan.maybe(50, rule, "borrow_within_cohort", [&] { return plan.word({"never", "lower_priority"}); });
  if (rule.value("borrow_within_cohort", "never") == "lower_priority")
    plan.maybe(50, rule, "max_priority_threshold", [&] { return plan.number(0, 3); });
  return rule;
}

Json fungibility(ScenarioPlan& plan) {
  Json rule = Json::object();
  for (const char* key : {"when_can_borrow", "when_can_preempt"}) {
    plan.maybe(60, rule, key, [&] { return plan.word({"may_stop_search", "try_next_flavor"}); });
  }
  plan.maybe(40, rule, "preference", [&] {
    return plan.word({"borrowing_over_preemption", "preemption_over_borrowing"});
  });
  return rule;
}

void put_check(ScenarioPlan& plan, Json& kueue, Json& queue, const FlavorNames& flavors) {
  if (!kueue.contains("admission_checks")) {
    Json check{{"name", "capacity"}};
    plan.maybe(60, check, "backoff_limit", [&] { return plan.number(0, 3); });
    plan.maybe(60, check, "backoff_base", [&] { return plan.minutes(1, 60); });
    plan.maybe(60, check, "backoff_max", [&] { return plan.minutes(1, 120); });
    kueue["admission_checks"] = Json::array();
    kueue["admission_checks"].push_back(check);
  }
  Json required{{"name", "capacity"}};
  plan.maybe(50, required, "on_flavors", [&] { return Json::array({plan.one_of(flavors)}); });
  queue["admission_checks"] = Json::array();
  queue["admission_checks"].push_back(required);
}

// Only where somebody shares by weights.
void put_weight(ScenarioPlan& plan, const Json& kueue, const char* sharing, Json& owner) {
  if (kueue.contains(sharing)) plan.maybe(50, owner, "fair_weight", [&] { return plan.number(0, 3); });
}

void put_queue(ScenarioPlan& plan, Json& kueue, const std::string& name, const FlavorNames& flavors) {
  Json queue{{"name", name}};
  const bool shares = plan.chance(70);
  if (shares) queue["cohort"] = plan.word({"all", "all", "some"});
  plan.maybe(40, queue, "queueing_strategy", [&] { return plan.word({"strict_fifo", "best_effort_fifo"}); });
  queue["flavors"] = quotas(plan, flavors, shares);
  plan.maybe(70, queue, "preemption",
             [&] { return preemption(plan, shares, kueue.contains("fair_sharing")); });
  plan.maybe(40, queue, "flavor_fungibility", [&] { return fungibility(plan); });
  put_weight(plan, kueue, "fair_sharing", queue);
  if (kueue.contains("admission_fair_sharing"))
    plan.maybe(60, queue, "usage_based_admission", [&] { return plan.chance(80); });
  if (plan.chance(35)) put_check(plan, kueue, queue, flavors);
  kueue["cluster_queues"].push_back(queue);
}

Json pods_ready(ScenarioPlan& plan) {
  Json rule = Json::object();
  plan.maybe(80, rule, "timeout", [&] { return plan.minutes(1, 90); });
  plan.maybe(40, rule, "recovery_timeout", [&] { return plan.minutes(1, 60); });
  plan.maybe(25, rule, "block_admission", [&] { return plan.chance(70); });
  plan.maybe(30, rule, "requeuing_timestamp", [&] { return plan.word({"eviction", "creation"}); });
  plan.maybe(50, rule, "backoff_limit", [&] { return plan.number(0, 3); });
  plan.maybe(60, rule, "backoff_base", [&] { return plan.minutes(1, 60); });
  plan.maybe(60, rule, "backoff_max", [&] { return plan.minutes(1, 120); });
  return rule;
}

void put_settings(ScenarioPlan& plan, Json& kueue) {
  plan.maybe(30, kueue, "fair_sharing", [&] {
    Json rule = Json::object();
    plan.maybe(50, rule, "preemption_strategies", [&] {
      return Json::array({plan.word({"less_than_or_equal_to_final_share", "less_than_initial_share"})});
    });
    return rule;
  });
  plan.maybe(25, kueue, "admission_fair_sharing", [&] {
    Json rule{{"usage_half_life_time", plan.halves(1, 20)}};
    plan.maybe(50, rule, "usage_sampling_interval", [&] { return plan.minutes(5, 60); });
    return rule;
  });
  plan.maybe(35, kueue, "wait_for_pods_ready", [&] { return pods_ready(plan); });
}

void put_cohorts(ScenarioPlan& plan, Json& kueue, const FlavorNames& flavors) {
  if (!plan.chance(40)) return;
  Json some{{"name", "some"}};
  plan.maybe(60, some, "parent", [&] { return plan.word({"all", "top"}); });
  plan.maybe(60, some, "flavors", [&] { return quotas(plan, flavors, some.contains("parent")); });
  put_weight(plan, kueue, "fair_sharing", some);
  kueue["cohorts"] = Json::array();
  kueue["cohorts"].push_back(some);
}

Json local_queue(ScenarioPlan& plan, const Json& kueue, const std::string& name, std::int64_t queues) {
  Json queue{{"name", name}, {"cluster_queue", fmt::format("queue-{}", plan.number(1, queues))}};
  put_weight(plan, kueue, "admission_fair_sharing", queue);
  return queue;
}

void put_local_queues(ScenarioPlan& plan, Json& kueue, std::int64_t queues) {
  Json& list = kueue["local_queues"] = Json::array();
  for (const std::string& job_class : plan.classes()) {
    if (!plan.chance(50)) continue;
    Json queue = local_queue(plan, kueue, "of-" + job_class, queues);
    queue["classes"] = Json::array({job_class});
    if (plan.chance(15)) queue["users"] = Json::array({"-"});  // of sources that name none
    const auto is_there = [&](const Json& other) { return other["name"] == queue["name"]; };
    if (std::ranges::none_of(list, is_there)) list.push_back(queue);
  }
  list.push_back(local_queue(plan, kueue, "all", queues));
}

void put_partial_admission(ScenarioPlan& plan, Json& kueue) {
  if (!plan.chance(40)) return;
  Json entry = Json::object();
  if (plan.chance(50)) {
    entry["min_count"] = plan.number(1, 4);
  } else {
    entry["min_share"] = plan.share(5, 100);
  }
  if (plan.chance(30)) entry["classes"] = Json::array({plan.one_of(plan.classes())});
  if (plan.chance(30)) entry["users"] = Json::array({"-"});
  kueue["partial_admission"] = Json::array({entry});
}

Json resource_quota(ScenarioPlan& plan, const std::string& resource, bool shares) {
  const double nominal = resource == "pods" ? static_cast<double>(plan.number(0, 40))
                                            : static_cast<double>(plan.number(0, 400)) / 2;
  Json quota{{"resource", resource}, {"nominal_quota", nominal}};
  if (shares) plan.maybe(30, quota, "borrowing_limit", [&] { return plan.number(0, 100); });
  if (shares) plan.maybe(30, quota, "lending_limit", [&] { return std::floor(nominal / 2); });
  return quota;
}

// In a group of its own, or in the last that there is.
void put_other_group(ScenarioPlan& plan, Json& owner, const std::string& resource, bool shares) {
  Json& groups = owner["other_groups"];
  if (groups.empty() || plan.chance(50)) {
    Json group{{"flavors", Json::array()}};
    for (std::int64_t i = plan.number(1, 2); i > 0; --i)
      group["flavors"].push_back({{"flavor", fmt::format("{}-{}", resource, i)}});
    groups.push_back(group);
  }
  for (Json& flavor : groups.back()["flavors"])
    flavor["resources"].push_back(resource_quota(plan, resource, shares));
}

// All flavors of an owner's group have quotas of the same.
void put_resource(ScenarioPlan& plan, Json& owner, const std::string& resource, bool is_apart) {
  const bool shares = owner.contains("cohort") || owner.contains("parent");
  if (is_apart) return put_other_group(plan, owner, resource, shares);
  for (Json& flavor : owner["flavors"]) flavor["resources"].push_back(resource_quota(plan, resource, shares));
}

void put_resources(ScenarioPlan& plan, Json& kueue) {
  for (const std::string resource : {"cpu", "memory", "pods"}) {
    if (!plan.chance(25)) continue;
    const bool is_apart = plan.chance(40);
    if (is_apart) {
      for (const int i : {1, 2}) kueue["other_flavors"].push_back(fmt::format("{}-{}", resource, i));
    }
    Json& queues = kueue["cluster_queues"];
    for (Json& queue : queues) {
      if (&queue == &queues.front() || plan.chance(80)) put_resource(plan, queue, resource, is_apart);
    }
    if (kueue.contains("cohorts")) {
      for (Json& cohort : kueue["cohorts"]) {
        if (cohort.contains("flavors") && plan.chance(60)) put_resource(plan, cohort, resource, is_apart);
      }
    }
    if (resource == "pods") continue;  // Kueue counts them
    Json request{{"resource", resource}, {"per_gpu", static_cast<double>(plan.number(0, 24)) / 2}};
    if (plan.chance(40)) request["classes"] = Json::array({plan.one_of(plan.classes())});
    if (plan.chance(20)) request["users"] = Json::array({"-"});
    kueue["pod_requests"].push_back(request);
  }
}

// Whether its jobs may come under Kueue; then they do.
bool put_flavors(ScenarioPlan& plan, Json& strategy, const FlavorNames& flavors) {
  const auto is_odd = [&](const Json& leg) {
    return leg.contains("partial") || leg.value("race", "") == "first_boot" ||
           leg.value("orchestrator", "gke") != "gke";
  };
  const bool takes_late = strategy.contains("quota") && strategy["quota"].value("taken_at", "") == "start";
  const bool takes_part = !takes_late && !strategy.contains("deadline_rule") &&
                          !strategy.contains("resubmit") && strategy.value("orchestrator", "gke") == "gke" &&
                          std::ranges::none_of(strategy["legs"], is_odd);
  if (!takes_part || !plan.chance(80)) return false;
  for (Json& leg : strategy["legs"]) leg["flavor"] = plan.one_of(flavors);
  return true;
}

}  // namespace

void plan_kueue(ScenarioPlan& plan) {
  const auto is_tried_again = [](const Json& source) { return source.contains("retry"); };
  if (!plan.chance(30) || std::ranges::any_of(plan.file["workload"], is_tried_again)) return;
  const FlavorNames flavors = flavors_of(plan);
  bool is_used = false;
  for (Json& strategy : plan.file["strategies"]) is_used = put_flavors(plan, strategy, flavors) || is_used;
  if (!is_used) return;
  Json& kueue = plan.file["kueue"] = Json::object();
  kueue["flavors"] = flavors;
  put_settings(plan, kueue);
  put_cohorts(plan, kueue, flavors);
  kueue["cluster_queues"] = Json::array();
  const std::int64_t queues = plan.number(1, 3);
  for (std::int64_t i = 1; i <= queues; ++i) put_queue(plan, kueue, fmt::format("queue-{}", i), flavors);
  put_local_queues(plan, kueue, queues);
  put_partial_admission(plan, kueue);
  put_resources(plan, kueue);
}

}  // namespace stockout::test
