#include "tools/kueue/scenario_run.h"

// What the steps of a scenario do.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tools/kueue/case_objects.h"
#include "tools/kueue/case_workloads.h"

namespace stockout::kueue {
namespace {

using std::chrono::milliseconds;

constexpr SimDuration kStepLength = milliseconds{20};
constexpr int kMostWaits = 2'000;
constexpr double kMostAdvance = 1e9;

// Of checks only those are there that the case lists.
KueueCase with_checks(KueueCase one) {
  const auto names = one.value.find("admissionChecks");
  const std::vector<std::string> texts = names ? names->texts() : std::vector<std::string>{};
  one.configuration.admission_checks.emplace(texts.begin(), texts.end());
  return one;
}

// Creation is recorded in whole seconds.
SimTime to_second(SimTime at) { return kStart + std::chrono::floor<std::chrono::seconds>(at - kStart); }

}  // namespace

void run_scenario(const KueueCase& one, Differences& differences) { ScenarioRun{one, differences}.run(); }

ScenarioRun::ScenarioRun(const KueueCase& one, Differences& differences)
    : one_{one}, differences_{differences}, cluster_{with_checks(one)} {}

void ScenarioRun::run() {
  for (const CaseValue& step : one_.value.list("steps")) {
    if (one_.settings.pods_ready) kueue().advance(kueue().now() + kStepLength);
    if (step.has("do")) {
      act(step);
    } else {
      settle_in_time();
      expect(step);
    }
  }
}

void ScenarioRun::settle_in_time() { kueue().settle(); }

bool ScenarioRun::wait_until(const Holds& holds, const Patience& patience) {
  const SimTime last = kueue().now() + patience.longest;
  for (int i = 0; i < kMostWaits; ++i) {
    if (holds()) return true;
    if (patience.goes_on && !patience.goes_on()) return false;
    const auto due = kueue().next_due();
    if (!due || *due > last) return false;
    kueue().advance(*due);
    settle_in_time();
  }
  return false;
}

void ScenarioRun::act(const CaseValue& step) {
  struct Verb {
    std::string_view name;
    std::vector<std::string_view> keys;
    void (ScenarioRun::*act)(const CaseValue& step);
  };
  using Run = ScenarioRun;
  static const std::vector<Verb> kVerbs{
      {"create", {"workload"}, &Run::create},
      {"advance", {"seconds"}, &Run::advance},
      {"finish", {"workloads"}, &Run::finish},
      {"delete", {"workloads"}, &Run::finish},
      {"finishEviction", {"workloads", "allEvictedAmong"}, &Run::finish_eviction},
      {"finishAnyRunning", {"queue", "count"}, &Run::finish_any_running},
      {"finishEvictionOfAny", {"queue", "count"}, &Run::finish_eviction_of_any},
      {"updateWorkload", {"workload"}, &Run::update_workload},
      {"reclaimablePods", {"workload", "pods"}, &Run::reclaim},
      {"setCheck", {"workload", "check", "state"}, &Run::set_checks},
      {"setStatus", {"workload", "checks", "conditions"}, &Run::set_conditions},
      {"markRequeuedAfterPodsReadyTimeout", {"workload"}, &Run::leave_to_time},
      {"createFlavor", {"flavor"}, &Run::set_flavor},
      {"updateFlavor", {"flavor"}, &Run::set_flavor},
      {"deleteFlavor", {"name"}, &Run::remove_flavor},
      {"createAdmissionCheck", {"name", "check", "admissionCheck"}, &Run::add_check},
      {"createClusterQueue", {"clusterQueue"}, &Run::set_cluster_queue},
      {"updateClusterQueue", {"clusterQueue"}, &Run::set_cluster_queue},
      {"deleteClusterQueue", {"name"}, &Run::remove_cluster_queue},
      {"holdClusterQueue", {"name"}, &Run::hold},
      {"unholdClusterQueue", {"name"}, &Run::unhold},
      {"createCohort", {"cohort"}, &Run::set_cohort},
      {"updateCohort", {"cohort"}, &Run::set_cohort},
      {"deleteCohort", {"name"}, &Run::remove_cohort},
      {"createLocalQueue", {"localQueue"}, &Run::set_local_queue},
      {"updateLocalQueue", {"localQueue"}, &Run::set_local_queue},
      {"deleteLocalQueue", {"name"}, &Run::remove_local_queue},
      {"holdLocalQueue", {"name"}, &Run::hold_local_queue},
      {"unholdLocalQueue", {"name"}, &Run::unhold_local_queue},
      {"deleteAdmissionCheck", {"name"}, &Run::remove_check}};
  const std::string given = step.at("do").text();
  const auto verb =
      std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& one) { return one.name == given; });
  if (verb == kVerbs.end()) throw NotModelled{"the step \"" + given + '"'};
  std::vector<std::string_view> keys = verb->keys;
  keys.insert(keys.end(), {"do", "why"});
  step.knows_only(keys);
  (this->*verb->act)(step);
}

void ScenarioRun::advance(const CaseValue& step) {
  const double length = step.at("seconds").number(0, kMostAdvance) * 1000;
  kueue().advance(kueue().now() + SimDuration{static_cast<std::int64_t>(length)});
}

void ScenarioRun::finish(const CaseValue& step) {
  for (const CaseValue& name : step.at("workloads").items()) cluster_.finish(name);
}

// Time sets a workload free that was put off.
void ScenarioRun::leave_to_time(const CaseValue& step) {
  static_cast<void>(cluster_.id(step.at("workload")));
}

void ScenarioRun::set_flavor(const CaseValue& step) { kueue().apply(read_flavor(step.at("flavor"))); }

void ScenarioRun::remove_flavor(const CaseValue& step) {
  kueue().remove(ObjectKind::resource_flavor, step.at("name").text());
}

// No file at hand has this step: the check is a name, or an object that has one.
void ScenarioRun::add_check(const CaseValue& step) {
  for (const std::string_view key : {"name", "check", "admissionCheck"}) {
    const auto check = step.find(key);
    if (!check) continue;
    if (check->is_object()) check->knows_only({"name"});
    kueue().apply(AdmissionCheck{(check->is_object() ? check->at("name") : *check).name()});
    return;
  }
  step.odd("must say which check");
}

void ScenarioRun::remove_check(const CaseValue& step) {
  kueue().remove(ObjectKind::admission_check, step.at("name").text());
}

void ScenarioRun::set_cluster_queue(const CaseValue& step) {
  kueue().apply(read_cluster_queue(step.at("clusterQueue")));
}

void ScenarioRun::remove_cluster_queue(const CaseValue& step) {
  kueue().remove(ObjectKind::cluster_queue, step.at("name").text());
}

template <typename Queues>
void ScenarioRun::stop(const Queues& queues, const char* what, const CaseValue& step, StopPolicy policy) {
  const CaseValue name = step.at("name");
  const auto queue = queues.find(name.text());
  if (queue == queues.end()) name.odd(fmt::format("there is no such {}", what));
  auto changed = queue->second;
  changed.stop = policy;
  kueue().apply(std::move(changed));
}

void ScenarioRun::hold(const CaseValue& step) {
  stop(kueue().objects().configuration().cluster_queues, "cluster queue", step, StopPolicy::hold);
}

void ScenarioRun::unhold(const CaseValue& step) {
  stop(kueue().objects().configuration().cluster_queues, "cluster queue", step, StopPolicy::none);
}

void ScenarioRun::hold_local_queue(const CaseValue& step) {
  stop(kueue().objects().configuration().local_queues, "local queue", step, StopPolicy::hold);
}

void ScenarioRun::unhold_local_queue(const CaseValue& step) {
  stop(kueue().objects().configuration().local_queues, "local queue", step, StopPolicy::none);
}

void ScenarioRun::set_cohort(const CaseValue& step) { kueue().apply(read_cohort(step.at("cohort"))); }

void ScenarioRun::remove_cohort(const CaseValue& step) {
  kueue().remove(ObjectKind::cohort, step.at("name").text());
}

void ScenarioRun::set_local_queue(const CaseValue& step) {
  kueue().apply(read_local_queue(step.at("localQueue")));
}

void ScenarioRun::remove_local_queue(const CaseValue& step) {
  kueue().remove(ObjectKind::local_queue, step.at("name").text());
}

void ScenarioRun::create(const CaseValue& step) {
  const CaseValue value = step.at("workload");
  Workload workload = read_workload(value, WorkloadId{0});
  workload.created = to_second(kueue().now());
  if (workload.status.pods_ready) workload.status.pods_ready->at = kueue().now();
  cluster_.submit(std::move(workload), value);
  settle_in_time();
}

void ScenarioRun::update_workload(const CaseValue& step) {
  const CaseValue value = step.at("workload");
  const WorkloadId id = cluster_.id(value.at("name"));
  Workload changed = read_workload(value, id);
  if (changed.status.pods_ready) kueue().set_pods_ready(id, *changed.status.pods_ready);
  if (value.find("reclaimable")) kueue().set_reclaimable(id, changed.status.reclaimable);
  for (const Check& check : changed.status.checks) kueue().set_check(id, check);
  kueue().update(id, std::move(changed.spec));
}

void ScenarioRun::finish_eviction(const CaseValue& step) {
  settle_in_time();
  if (const auto names = step.find("allEvictedAmong")) {
    for (const CaseValue& name : names->items()) {
      if (workload(name).status.evicted.status) kueue().finish_eviction(cluster_.id(name));
    }
    return;
  }
  for (const CaseValue& name : step.at("workloads").items()) finish_eviction_of(name);
}

void ScenarioRun::finish_eviction_of(const CaseValue& name) {
  const bool is_evicted =
      wait_until([&] { return workload(name).status.evicted.status && workload(name).has_quota(); }, {});
  if (!is_evicted) {
    differences_.say(fmt::format("{} is not being evicted, so that its eviction cannot end", name.text()));
    return;
  }
  kueue().finish_eviction(cluster_.id(name));
}

void ScenarioRun::finish_any_running(const CaseValue& step) { finish_any(step, false); }

void ScenarioRun::finish_eviction_of_any(const CaseValue& step) { finish_any(step, true); }

// By name, until there are so many; the end of one eviction may bring about the next.
void ScenarioRun::finish_any(const CaseValue& step, bool evicted) {
  const std::string queue = step.at("queue").text();
  std::int64_t left = step.at("count").integer(0, kMostPods);
  for (bool found = true; left > 0 && found; left -= found ? 1 : 0) {
    settle_in_time();
    found = finish_next(queue, evicted);
  }
  if (left > 0) differences_.say(fmt::format("{} workloads too few in {} to finish", left, queue));
}

bool ScenarioRun::finish_next(const std::string& queue, bool evicted) {
  for (const auto& [name, id] : cluster_.ids()) {
    const Workload& own = kueue().workload(id);
    const bool is_meant = own.has_quota() && own.status.admission->cluster_queue == queue &&
                          own.status.evicted.status == evicted;
    if (!is_meant) continue;
    if (evicted) {
      kueue().finish_eviction(id);
    } else {
      kueue().finish(id);
    }
    return true;
  }
  return false;
}

void ScenarioRun::set_checks(const CaseValue& step) {
  settle_in_time();
  kueue().set_check(cluster_.id(step.at("workload")),
                    {.name = step.at("check").text(), .state = read_check_state(step.at("state"))});
}

void ScenarioRun::set_conditions(const CaseValue& step) {
  settle_in_time();
  const WorkloadId id = cluster_.id(step.at("workload"));
  if (const auto checks = step.find("checks")) {
    for (const CaseValue& item : checks->items()) kueue().set_check(id, read_check(item));
  }
  const auto conditions = step.find("conditions");
  if (!conditions) return;
  for (const CaseValue& item : conditions->items()) {
    const std::string type = item.at("type").text();
    if (type != "PodsReady") throw NotModelled{"the condition \"" + type + '"'};
    const auto reason = item.find("reason");
    kueue().set_pods_ready(id, {.status = item.at("status").word<bool>({{"True", true}, {"False", false}}),
                                .reason = reason ? reason->text() : ""});
  }
}

void ScenarioRun::reclaim(const CaseValue& step) {
  settle_in_time();
  std::map<std::string, std::int64_t> pods;
  for (const CaseValue& item : step.at("pods").items()) {
    pods[item.at("name").text()] = item.at("count").integer(0, kMostPods);
  }
  kueue().set_reclaimable(cluster_.id(step.at("workload")), std::move(pods));
}

}  // namespace stockout::kueue
