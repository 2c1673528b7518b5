// What the steps of a scenario expect.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/orchestrators/kueue/fair_share.h"
#include "models/orchestrators/kueue/ordering.h"
#include "tools/kueue/case_objects.h"
#include "tools/kueue/case_workloads.h"
#include "tools/kueue/scenario_run.h"

namespace stockout::kueue {
namespace {

constexpr std::int64_t kMostWorkloads = std::numeric_limits<std::int32_t>::max();

// Kueue's tests wait for as long at most. After any longer wait a delay that is too long would be over too.
constexpr SimDuration kRequeueWait = std::chrono::seconds{45};

const std::set<std::string> kOfWorkloads{"reserved",
                                         "pending",
                                         "admitted",
                                         "quotaReserved",
                                         "preempted",
                                         "frozen",
                                         "waitingForPodsReady",
                                         "evictedByPodsReadyTimeout"};
const std::set<std::string> kCounts{"reservingCount",    "reservedTotal",    "admittedTotal",
                                    "evictedTotal",      "preemptedByTotal", "evictedCountAmong",
                                    "admittedCountAmong"};

bool said(const CaseValue& step) {
  const auto value = step.find("value");
  return !value || value->flag();
}

// One of "workload", or each of "workloads".
std::vector<CaseValue> meant(const CaseValue& step) {
  if (const auto names = step.find("workloads")) return names->items();
  return {step.at("workload")};
}

}  // namespace

void ScenarioRun::expect(const CaseValue& step) {
  step.knows_only({"expect", "queue", "workloads", "workload", "value", "count", "active", "inadmissible",
                   "reason", "by", "preemptorQueue", "assignment", "afterSeconds", "hasRequeueAt"});
  const std::string what = step.at("expect").text();
  std::vector<std::string> lines;
  const auto compare = [&] {
    if (kOfWorkloads.contains(what)) {
      lines = wrong(step, what);
    } else {
      lines = kCounts.contains(what) ? wrong_count(step, what) : wrong_state(step, what);
    }
    return lines.empty();
  };
  if (wait_until(compare, patience(step, what))) return;
  for (std::string& line : lines) differences_.say(std::move(line));
}

// How often a workload was requeued is no longer what is meant once it is admitted again.
ScenarioRun::Patience ScenarioRun::patience(const CaseValue& step, const std::string& what) {
  if (what != "requeueState") return {};
  const WorkloadId id = cluster_.id(step.at("workload"));
  const SimTime start = kueue().now();
  return {.longest = kRequeueWait,
          .goes_on = [this, id, start] { return kueue().workload(id).status.reserved <= start; }};
}

std::vector<std::string> ScenarioRun::wrong(const CaseValue& step, const std::string& what) {
  std::vector<std::string> lines;
  for (const CaseValue& name : meant(step)) {
    if (is_as_said(what, step, workload(name)) == said(step)) continue;
    const Workload& own = workload(name);
    lines.push_back(fmt::format("expected {}{}: {}, got {}{}{}", said(step) ? "" : "not ", what, own.name,
                                admission_text(own.status.admission),
                                own.status.evicted.status ? ", evicted" : "",
                                own.status.admitted ? ", admitted" : ""));
  }
  return lines;
}

bool ScenarioRun::is_as_said(const std::string& what, const CaseValue& step, const Workload& workload) {
  if (what == "pending") return !workload.has_quota();
  if (what == "admitted") return workload.status.admitted.has_value();
  if (what == "quotaReserved") return workload.has_quota();
  if (what == "preempted") return is_preempted(step, workload);
  if (what == "evictedByPodsReadyTimeout") {
    return workload.status.evicted.status && workload.status.evicted.reason == kPodsReadyTimeout;
  }
  if (what == "waitingForPodsReady") {
    return !workload.has_quota() &&
           kueue().workload(workload.id).status.pending_reason == kWaitingForPodsReady;
  }
  const std::string queue = step.at("queue").text();
  if (what == "frozen") return !workload.has_quota() && !kueue().objects().is_active(queue);
  return workload.has_quota() && workload.status.admission->cluster_queue == queue;
}

bool ScenarioRun::is_preempted(const CaseValue& step, const Workload& workload) {
  if (!workload.status.evicted.status || workload.status.evicted.reason != kPreempted) return false;
  const auto reason = step.find("reason");
  const auto by = step.find("by");
  if (reason && reason->text() != workload.status.preempted.reason) return false;
  if (!by) return true;
  const std::vector<Event>& events = kueue().events();
  return std::any_of(events.begin(), events.end(), [&](const Event& event) {
    return event.kind == Event::Kind::evicted && event.workload == workload.id &&
           event.preemptor == cluster_.id(*by);
  });
}

std::vector<std::string> ScenarioRun::wrong_count(const CaseValue& step, const std::string& what) {
  const std::int64_t expected = step.at("count").integer(0, kMostWorkloads);
  const std::int64_t got = count(what, step);
  if (expected == got) return {};
  const auto queue = step.find("queue");
  return {fmt::format("{}{}: expected {}, got {}", what, queue ? " of " + queue->text() : "", expected, got)};
}

std::int64_t ScenarioRun::count(const std::string& what, const CaseValue& step) {
  if (what.ends_with("Among")) {
    const std::vector<CaseValue> names = step.at("workloads").items();
    return std::count_if(names.begin(), names.end(), [&](const CaseValue& name) {
      return what == "evictedCountAmong" ? workload(name).status.evicted.status
                                         : workload(name).status.admitted.has_value();
    });
  }
  if (what == "reservingCount") {
    return static_cast<std::int64_t>(kueue().ledger().held_in(step.at("queue").text()).size());
  }
  const bool by_preemptor = what == "preemptedByTotal";
  const std::string queue = step.at(by_preemptor ? "preemptorQueue" : "queue").text();
  const auto reason = step.find("reason");
  const std::vector<Event>& events = kueue().events();
  return std::count_if(events.begin(), events.end(), [&](const Event& event) {
    if (by_preemptor) {
      return event.preemptor && kueue().workload(*event.preemptor).cluster_queue == queue &&
             (!reason || event.preemption_reason == reason->text());
    }
    if (event.queue != queue) return false;
    if (what == "reservedTotal") return event.kind == Event::Kind::reserved;
    if (what == "admittedTotal") return event.kind == Event::Kind::admitted;
    return event.kind == Event::Kind::evicted && (!reason || event.reason == reason->text());
  });
}

std::vector<std::string> ScenarioRun::wrong_state(const CaseValue& step, const std::string& what) {
  Differences differences;
  if (what == "assignment") {
    differences.expect("assignment of " + workload(step.at("workload")).name,
                       admission_text(read_admission(step.at("assignment"))),
                       admission_text(workload(step.at("workload")).status.admission));
  } else if (what == "pendingCount") {
    const std::string name = step.at("queue").text();
    const auto [active, parked] = waiting_in(name);
    const auto compare = [&](const char* key, std::int64_t got) {
      const auto count = step.find(key);
      if (count)
        differences.expect(fmt::format("{} in {}", key, name), count->integer(0, kMostWorkloads), got);
    };
    compare("active", active);
    compare("inadmissible", parked);
  } else if (what == "weightedShare") {
    const CaseValue queue = step.at("queue");
    auto node = kueue().ledger().tree().queue(queue.text());
    if (!node) node = kueue().ledger().tree().cohort(queue.text());
    if (!node) queue.odd("there is no such cluster queue");
    const double share = fair_share(kueue().ledger().tree(), *node).weighted();
    const double expected = step.at("value").number(0, 1e300);
    if (std::abs(share - expected) > 1e-9 * std::max(1.0, expected))
      differences.expect("share of " + queue.text(), expected, share);
  } else if (what == "requeueState") {
    const RequeueState got = workload(step.at("workload")).status.requeue.value_or(RequeueState{});
    const auto count = step.find("count");
    differences.expect("requeues", count ? count->integer(0, kMostWorkloads) : 0,
                       std::int64_t{got.count.value_or(0)});
    differences.expect("requeue time is set", step.at("hasRequeueAt").flag(), got.at.has_value());
  } else {
    throw NotModelled{"the expectation \"" + what + '"'};
  }
  return differences.lines();
}

// In a queue that is not active all count as inadmissible.
std::pair<std::int64_t, std::int64_t> ScenarioRun::waiting_in(const std::string& queue) {
  if (const auto* pending = kueue().pending(queue); pending != nullptr) {
    const auto active = static_cast<std::int64_t>(pending->active_count());
    const auto parked = static_cast<std::int64_t>(pending->parked_count());
    return kueue().objects().is_active(queue) ? std::pair{active, parked}
                                              : std::pair{std::int64_t{0}, active + parked};
  }
  return {0, 0};
}

}  // namespace stockout::kueue
