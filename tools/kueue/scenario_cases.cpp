// What the steps of a scenario do.

#include <limits>
#include <utility>

#include "tools/kueue/case_objects.h"
#include "tools/kueue/scenario_run.h"

namespace stockout::kueue {
namespace {

using std::chrono::milliseconds;

constexpr SimDuration kStepLength = milliseconds{20};
constexpr SimDuration kLongestWait = std::chrono::minutes{10};
constexpr int kMostWaits = 2'000;
constexpr double kMostAdvance = 1e9;

std::set<std::string> known_checks(const KueueCase& one) {
  const auto names = one.value.find("admissionChecks");
  if (!names) return {};
  const std::vector<std::string> texts = names->texts();
  return {texts.begin(), texts.end()};
}

// Creation is recorded in whole seconds.
SimTime to_second(SimTime at) { return kStart + std::chrono::floor<std::chrono::seconds>(at - kStart); }

}  // namespace

void run_scenario(const KueueCase& one, Differences& differences) { ScenarioRun{one, differences}.run(); }

ScenarioRun::ScenarioRun(const KueueCase& one, Differences& differences)
    : one_{one}, differences_{differences}, cluster_{one, known_checks(one)} {}

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

bool ScenarioRun::wait_until(const Holds& holds) {
  const SimTime last = kueue().now() + kLongestWait;
  for (int i = 0; i < kMostWaits; ++i) {
    if (holds()) return true;
    const auto due = kueue().next_due();
    if (!due || *due > last) return false;
    kueue().advance(*due);
    settle_in_time();
  }
  return false;
}

void ScenarioRun::act(const CaseValue& step) {
  using Act = std::function<void()>;
  const auto each = [&](const auto& act) {
    for (const CaseValue& name : step.at("workloads").items()) act(cluster_.id(name));
  };
  const auto name = [&] { return step.at("name").text(); };
  const std::map<std::string, Act> known{
      {"create", [&] { create(step.at("workload")); }},
      {"advance",
       [&] {
         kueue().advance(kueue().now() + SimDuration{static_cast<std::int64_t>(
                                             step.at("seconds").number(0, kMostAdvance) * 1000)});
       }},
      {"finish", [&] { each([&](WorkloadId id) { kueue().finish(id); }); }},
      {"delete", [&] { each([&](WorkloadId id) { kueue().remove(id); }); }},
      {"finishEviction", [&] { finish_eviction(step); }},
      {"finishAnyRunning", [&] { finish_any(step, false); }},
      {"finishEvictionOfAny", [&] { finish_any(step, true); }},
      {"updateWorkload", [&] { update_workload(step.at("workload")); }},
      {"reclaimablePods", [&] { reclaim(step); }},
      {"setCheck", [&] { set_checks(step); }},
      {"setStatus", [&] { set_conditions(step); }},
      {"markRequeuedAfterPodsReadyTimeout", [&] {}},  // time does that
      {"createFlavor", [&] { kueue().set_flavor(read_flavor(step.at("flavor"))); }},
      {"createClusterQueue", [&] { kueue().set_cluster_queue(read_cluster_queue(step.at("clusterQueue"))); }},
      {"updateClusterQueue", [&] { kueue().set_cluster_queue(read_cluster_queue(step.at("clusterQueue"))); }},
      {"deleteClusterQueue", [&] { kueue().remove_cluster_queue(name()); }},
      {"holdClusterQueue", [&] { hold(step.at("name"), true); }},
      {"unholdClusterQueue", [&] { hold(step.at("name"), false); }},
      {"createCohort", [&] { kueue().set_cohort(read_cohort(step.at("cohort"))); }},
      {"updateCohort", [&] { kueue().set_cohort(read_cohort(step.at("cohort"))); }},
      {"deleteCohort", [&] { kueue().remove_cohort(name()); }},
      {"createLocalQueue", [&] { kueue().set_local_queue(read_local_queue(step.at("localQueue"))); }},
      {"updateLocalQueue", [&] { kueue().set_local_queue(read_local_queue(step.at("localQueue"))); }},
      {"deleteLocalQueue", [&] { kueue().remove_local_queue(name()); }}};
  const std::string verb = step.at("do").text();
  const auto act = known.find(verb);
  if (act == known.end()) throw NotModelled{"the step \"" + verb + '"'};
  act->second();
}

void ScenarioRun::create(const CaseValue& value) {
  Workload workload = read_workload(value, WorkloadId{0});
  workload.created = to_second(kueue().now());
  if (workload.pods_ready) workload.pods_ready->at = kueue().now();
  cluster_.submit(std::move(workload));
  settle_in_time();
}

void ScenarioRun::update_workload(const CaseValue& value) {
  const WorkloadId id = cluster_.id(value.at("name"));
  Workload changed = read_workload(value, id);
  if (changed.pods_ready) kueue().set_pods_ready(id, *changed.pods_ready);
  kueue().update(id, changed);
}

void ScenarioRun::hold(const CaseValue& name, bool held) {
  const auto queue = kueue().configuration().cluster_queues.find(name.text());
  if (queue == kueue().configuration().cluster_queues.end()) name.fail("there is no such cluster queue");
  ClusterQueue changed = queue->second;
  changed.stop = held ? StopPolicy::hold : StopPolicy::none;
  kueue().set_cluster_queue(std::move(changed));
}

void ScenarioRun::finish_eviction(const CaseValue& step) {
  settle_in_time();
  if (const auto names = step.find("allEvictedAmong")) {
    for (const CaseValue& name : names->items()) {
      if (workload(name).evicted.status) kueue().finish_eviction(cluster_.id(name));
    }
    return;
  }
  for (const CaseValue& name : step.at("workloads").items()) finish_eviction_of(name);
}

void ScenarioRun::finish_eviction_of(const CaseValue& name) {
  const bool is_evicted =
      wait_until([&] { return workload(name).evicted.status && workload(name).has_quota(); });
  if (!is_evicted) {
    differences_.say(fmt::format("{} is not being evicted, so that its eviction cannot end", name.text()));
    return;
  }
  kueue().finish_eviction(cluster_.id(name));
}

// By name, until there are so many; the end of one eviction may bring about the next.
void ScenarioRun::finish_any(const CaseValue& step, bool evicted) {
  const std::string queue = step.at("queue").text();
  std::int64_t left = step.at("count").integer(0, std::numeric_limits<std::int32_t>::max());
  for (bool found = true; left > 0 && found; left -= found ? 1 : 0) {
    settle_in_time();
    found = finish_next(queue, evicted);
  }
  if (left > 0) differences_.say(fmt::format("{} workloads too few in {} to finish", left, queue));
}

bool ScenarioRun::finish_next(const std::string& queue, bool evicted) {
  for (const auto& [name, id] : cluster_.ids()) {
    const Workload& own = kueue().workload(id);
    const bool is_meant =
        own.has_quota() && own.admission->cluster_queue == queue && own.evicted.status == evicted;
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
  step.knows_only({"do", "workload", "checks", "conditions"});
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
    pods[item.at("name").text()] = item.at("count").integer(0, std::numeric_limits<std::int32_t>::max());
  }
  kueue().set_reclaimable(cluster_.id(step.at("workload")), std::move(pods));
}

}  // namespace stockout::kueue
