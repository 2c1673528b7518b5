// What the steps of a scenario do.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "tools/kueue/case_objects.h"
#include "tools/kueue/scenario_run.h"

namespace stockout::kueue {
namespace {

using std::chrono::milliseconds;

constexpr SimDuration kStepLength = milliseconds{20};
constexpr int kMostWaits = 2'000;
constexpr double kMostAdvance = 1e9;

std::set<std::string> known_checks(const KueueCase& one) {
  const auto names = one.value.find("admissionChecks");
  if (!names) return {};
  const std::vector<std::string> texts = names->texts();
  return {texts.begin(), texts.end()};
}

template <typename Item>
void must_be(const std::map<std::string, Item>& all, const CaseValue& name, std::string_view what) {
  if (!all.contains(name.text())) name.fail(fmt::format("there is no such {}", what));
}

// Creation is recorded in whole seconds.
SimTime to_second(SimTime at) { return kStart + std::chrono::floor<std::chrono::seconds>(at - kStart); }

}  // namespace

void run_scenario(const KueueCase& one, Differences& differences) { ScenarioRun{one, differences}.run(); }

ScenarioRun::ScenarioRun(const KueueCase& one, Differences& differences)
    : one_{one}, differences_{differences}, cluster_{one, known_checks(one)} {
  for (const auto& [name, queue] : one.configuration.cluster_queues) queues_.insert(name);
}

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
  using Keys = std::initializer_list<std::string_view>;
  const std::string verb = step.at("do").text();
  const auto is = [&](std::string_view name, Keys keys) {
    if (verb != name) return false;
    step.knows_only(keys);
    return true;
  };
  if (is("create", {"do", "workload"})) {
    create(step.at("workload"));
  } else if (is("advance", {"do", "seconds", "why"})) {
    advance(step.at("seconds"));
  } else if (is("finish", {"do", "workloads"})) {
    for (const CaseValue& name : step.at("workloads").items()) kueue().finish(cluster_.id(name));
  } else if (is("delete", {"do", "workloads"})) {
    for (const CaseValue& name : step.at("workloads").items()) kueue().remove(cluster_.id(name));
  } else if (is("finishEviction", {"do", "workloads", "allEvictedAmong"})) {
    finish_eviction(step);
  } else if (is("finishAnyRunning", {"do", "queue", "count"})) {
    finish_any(step, false);
  } else if (is("finishEvictionOfAny", {"do", "queue", "count"})) {
    finish_any(step, true);
  } else if (is("updateWorkload", {"do", "workload"})) {
    update_workload(step.at("workload"));
  } else if (is("reclaimablePods", {"do", "workload", "pods"})) {
    reclaim(step);
  } else if (is("setCheck", {"do", "workload", "check", "state"})) {
    set_checks(step);
  } else if (is("setStatus", {"do", "workload", "checks", "conditions"})) {
    set_conditions(step);
  } else if (is("createAdmissionCheck", {"do", "name", "check", "admissionCheck"})) {
    add_check(step);
  } else if (!is("markRequeuedAfterPodsReadyTimeout", {"do", "workload"}) && !configure(step, verb)) {
    throw NotModelled{"the step \"" + verb + '"'};  // time does what that one would
  }
}

// Steps that make, change or delete an object of the configuration, which stands below a key of its kind.
bool ScenarioRun::configure(const CaseValue& step, const std::string& verb) {
  using Change = void (ScenarioRun::*)(const CaseValue&);
  struct Verb {
    std::string_view name;
    std::string_view key;
    Change change;
  };
  static constexpr std::array kVerbs{
      Verb{"createFlavor", "flavor", &ScenarioRun::set_flavor},
      Verb{"updateFlavor", "flavor", &ScenarioRun::set_flavor},
      Verb{"deleteFlavor", "name", &ScenarioRun::remove_flavor},
      Verb{"createClusterQueue", "clusterQueue", &ScenarioRun::set_cluster_queue},
      Verb{"updateClusterQueue", "clusterQueue", &ScenarioRun::set_cluster_queue},
      Verb{"deleteClusterQueue", "name", &ScenarioRun::remove_cluster_queue},
      Verb{"holdClusterQueue", "name", &ScenarioRun::hold},
      Verb{"unholdClusterQueue", "name", &ScenarioRun::unhold},
      Verb{"createCohort", "cohort", &ScenarioRun::set_cohort},
      Verb{"updateCohort", "cohort", &ScenarioRun::set_cohort},
      Verb{"deleteCohort", "name", &ScenarioRun::remove_cohort},
      Verb{"createLocalQueue", "localQueue", &ScenarioRun::set_local_queue},
      Verb{"updateLocalQueue", "localQueue", &ScenarioRun::set_local_queue},
      Verb{"deleteLocalQueue", "name", &ScenarioRun::remove_local_queue}};
  const auto known =
      std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& one) { return one.name == verb; });
  if (known == kVerbs.end()) return false;
  step.knows_only({"do", known->key});
  (this->*known->change)(step.at(known->key));
  return true;
}

void ScenarioRun::advance(const CaseValue& seconds) {
  const double length = seconds.number(0, kMostAdvance) * 1000;
  kueue().advance(kueue().now() + SimDuration{static_cast<std::int64_t>(length)});
}

void ScenarioRun::set_flavor(const CaseValue& value) { kueue().set_flavor(read_flavor(value)); }

void ScenarioRun::remove_flavor(const CaseValue& name) {
  must_be(kueue().configuration().flavors, name, "flavor");
  kueue().remove_flavor(name.text());
}

// No file at hand has this step: the check is a name, or an object that has one.
void ScenarioRun::add_check(const CaseValue& step) {
  for (const std::string_view key : {"name", "check", "admissionCheck"}) {
    const auto check = step.find(key);
    if (!check) continue;
    if (check->is_object()) check->knows_only({"name"});
    kueue().add_check((check->is_object() ? check->at("name") : *check).name());
    return;
  }
  step.fail("must say which check");
}

void ScenarioRun::set_cluster_queue(const CaseValue& value) {
  ClusterQueue queue = read_cluster_queue(value);
  queues_.insert(queue.name);
  kueue().set_cluster_queue(std::move(queue));
}

void ScenarioRun::remove_cluster_queue(const CaseValue& name) {
  must_be(kueue().configuration().cluster_queues, name, "cluster queue");
  kueue().remove_cluster_queue(name.text());
}

void ScenarioRun::set_cohort(const CaseValue& value) { kueue().set_cohort(read_cohort(value)); }

void ScenarioRun::remove_cohort(const CaseValue& name) {
  must_be(kueue().configuration().cohorts, name, "cohort");
  kueue().remove_cohort(name.text());
}

void ScenarioRun::set_local_queue(const CaseValue& value) {
  kueue().set_local_queue(read_local_queue(value));
}

void ScenarioRun::remove_local_queue(const CaseValue& name) {
  must_be(kueue().configuration().local_queues, name, "local queue");
  kueue().remove_local_queue(name.text());
}

void ScenarioRun::hold(const CaseValue& name) { stop(name, StopPolicy::hold); }

void ScenarioRun::unhold(const CaseValue& name) { stop(name, StopPolicy::none); }

void ScenarioRun::stop(const CaseValue& name, StopPolicy policy) {
  must_be(kueue().configuration().cluster_queues, name, "cluster queue");
  ClusterQueue changed = kueue().configuration().cluster_queues.at(name.text());
  changed.stop = policy;
  kueue().set_cluster_queue(std::move(changed));
}

void ScenarioRun::create(const CaseValue& value) {
  Workload workload = read_workload(value, WorkloadId{0});
  workload.created = to_second(kueue().now());
  if (workload.pods_ready) workload.pods_ready->at = kueue().now();
  cluster_.submit(std::move(workload), value);
  settle_in_time();
}

void ScenarioRun::update_workload(const CaseValue& value) {
  const WorkloadId id = cluster_.id(value.at("name"));
  Workload changed = read_workload(value, id);
  if (changed.pods_ready) kueue().set_pods_ready(id, *changed.pods_ready);
  kueue().update(id, changed);
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
      wait_until([&] { return workload(name).evicted.status && workload(name).has_quota(); }, {});
  if (!is_evicted) {
    differences_.say(fmt::format("{} is not being evicted, so that its eviction cannot end", name.text()));
    return;
  }
  kueue().finish_eviction(cluster_.id(name));
}

// By name, until there are so many; the end of one eviction may bring about the next.
void ScenarioRun::finish_any(const CaseValue& step, bool evicted) {
  const std::string queue = queue_named(step.at("queue"));
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
