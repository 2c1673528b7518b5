// Cases of delays, of pods that are not ready, and of requests for capacity.

#include "models/orchestrators/kueue/admission_checks.h"
#include "models/orchestrators/kueue/eviction.h"
#include "models/orchestrators/kueue/pending_queue.h"
#include "models/orchestrators/kueue/pods_ready.h"
#include "models/orchestrators/kueue/provisioning.h"
#include "tools/kueue/case_objects.h"
#include "tools/kueue/case_workloads.h"
#include "tools/kueue/kueue_case.h"

namespace stockout::kueue {
namespace {

constexpr const char* kWorkloadName = "wl";
constexpr const char* kCheckName = "check1";
constexpr const char* kOtherCheckName = "check2";

SimTime now_of(const KueueCase& one) {
  const auto now = one.value.at("settings").find("now");
  return now ? now->time() : kStart;
}

CaseValue only_input(const KueueCase& one) {
  const std::vector<CaseValue> all = one.value.list("input");
  if (all.size() != 1) one.value.odd("must have one workload as input");
  return all.front();
}

std::optional<SimTime> time_or_none(const CaseValue& value, std::string_view key) {
  const auto time = value.find(key);
  return time ? std::optional{time->time()} : std::nullopt;
}

std::optional<double> seconds_of(const std::optional<SimTime>& time) {
  if (!time) return std::nullopt;
  return static_cast<double>((*time - kStart).count()) / 1000;
}

bool is_true(const CaseValue& value) {
  return value.word<bool>({{"True", true}, {"False", false}, {"Unknown", false}});
}

ProvisioningRequest read_request(const CaseValue& value) {
  value.knows_only({"name", "attempt", "conditions", "matchesConfig", "otherCheck"});
  ProvisioningRequest request{.name = value.at("name").name(), .check = kCheckName};
  if (const auto attempt = value.find("attempt")) {
    request.attempt = attempt->times();
  }
  if (const auto matches = value.find("matchesConfig")) request.matches_config = matches->flag();
  if (const auto other = value.find("otherCheck"); other && other->flag()) request.check = kOtherCheckName;
  const auto conditions = value.find("conditions");
  if (!conditions) return request;
  conditions->knows_only({"Accepted", "Provisioned", "Failed", "BookingExpired", "CapacityRevoked"});
  const auto holds = [&](std::string_view key) {
    const auto condition = conditions->find(key);
    return condition && is_true(*condition);
  };
  request.accepted = holds("Accepted");
  if (const auto provisioned = conditions->find("Provisioned")) request.provisioned = is_true(*provisioned);
  request.failed = holds("Failed");
  request.booking_expired = holds("BookingExpired");
  request.capacity_revoked = holds("CapacityRevoked");
  return request;
}

std::optional<ProvisioningConfig> read_config(const CaseValue& settings) {
  const auto present = settings.find("configPresent");
  if (present && !present->flag()) return std::nullopt;
  ProvisioningConfig config{.managed_resources = settings.texts_of("managedResources")};
  if (const auto retry = settings.find("retry")) {
    retry->knows_only({"limit", "baseSeconds", "maxSeconds"});
    config.retry = ProvisioningRetry{.limit = retry->at("limit").times(),
                                     .base = retry->at("baseSeconds").length(),
                                     .most = retry->at("maxSeconds").length()};
  }
  return config;
}

// A case names neither the workload nor its check: requests that are made are "wl-check1-1" and so on.
ProvisioningState read_state(const KueueCase& one) {
  const CaseValue input = only_input(one);
  input.knows_only({"reserved", "admitted", "finished", "evicted", "active", "check", "podsets"});
  ProvisioningState state{.workload = {.name = kWorkloadName}, .check = kCheckName};
  Workload& workload = state.workload;
  if (input.is_set("reserved")) workload.status.admission = Admission{};
  if (input.is_set("admitted")) workload.status.admitted = kStart;
  workload.status.finished = input.is_set("finished");
  workload.status.evicted.status = input.is_set("evicted");
  workload.spec.active = !input.find("active") || input.is_set("active");
  if (const auto value = input.find("check")) {
    value->knows_only({"state", "retryCount", "requeueAfterSeconds"});
    Check& check = workload.status.checks.emplace_back(
        Check{.name = kCheckName, .state = read_check_state(value->at("state"))});
    if (const auto count = value->find("retryCount")) {
      check.retries = count->times();
    }
    if (const auto delay = value->find("requeueAfterSeconds")) check.requeue_after = delay->seconds();
  }
  for (const CaseValue& item : input.list("podsets")) {
    PodSet& pod_set = workload.spec.pod_sets.emplace_back(PodSet{.name = item.at("name").text()});
    pod_set.count = item.at("count").integer(0, kMostPods);
    for (const auto& [resource, amount] : item.members_of("requests")) {
      pod_set.requests[resource] = amount.amount();
    }
  }
  for (const CaseValue& item : one.value.list("requests")) state.requests.push_back(read_request(item));
  return state;
}

void compare_check(const CaseValue& expected, const ProvisioningState& state, Differences& differences) {
  const Check* check = find_check(state.workload, state.check);
  if (check == nullptr) {
    differences.note("check", "there", "none");
    return;
  }
  static const std::map<CheckState, std::string> kNames{{CheckState::pending, "Pending"},
                                                        {CheckState::ready, "Ready"},
                                                        {CheckState::retry, "Retry"},
                                                        {CheckState::rejected, "Rejected"}};
  expected.knows_only({"state", "retryCount", "requeueAfterSeconds"});
  differences.expect("state of the check", expected.at("state").text(), kNames.at(check->state));
  if (const auto count = expected.find("retryCount")) {
    differences.expect("retries", count->times(), check->retries);
  }
  const auto delay = expected.find("requeueAfterSeconds");
  const auto in_seconds = [](const std::optional<SimDuration>& length) {
    return length ? std::optional{static_cast<double>(length->count()) / 1000} : std::nullopt;
  };
  differences.expect("requeue after", in_seconds(delay ? std::optional{delay->seconds()} : std::nullopt),
                     in_seconds(check->requeue_after));
}

}  // namespace

void run_requeue_backoff(const KueueCase& one, Differences& differences) {
  const Workload workload = read_workload(only_input(one), WorkloadId{0});
  one.expected().knows_only({"expired"});
  differences.expect("expired", one.expected().at("expired").flag(), is_backoff_over(workload, now_of(one)));
}

void run_requeue_state(const KueueCase& one, Differences& differences) {
  Workload workload;
  if (const auto state = one.value.find("state")) workload.status.requeue = read_requeue_state(*state);
  const bool changed = put_off(workload, one.value.at("waitUntil").time(), one.value.at("increment").flag());
  const CaseValue expected = one.expected();
  expected.knows_only({"changed", "requeueAt", "count"});
  differences.expect("changed", expected.at("changed").flag(), changed);
  const RequeueState got = workload.status.requeue.value_or(RequeueState{});
  differences.expect("requeue at", seconds_of(time_or_none(expected, "requeueAt")), seconds_of(got.at));
  const auto count = expected.find("count");
  differences.expect("count", count ? std::optional{count->times()} : std::nullopt, got.count);
}

void run_check_retry_time(const KueueCase& one, Differences& differences) {
  std::vector<Check> checks;
  for (const CaseValue& item : one.value.list("checks")) checks.push_back(read_check(item));
  one.expected().knows_only({"retryAt"});
  differences.expect("retry at", seconds_of(time_or_none(one.expected(), "retryAt")),
                     seconds_of(retry_time(checks)));
}

void run_pods_ready_timeout(const KueueCase& one, Differences& differences) {
  const CaseValue input = only_input(one);
  input.knows_only({"admitted", "podsReady"});
  Workload workload;
  if (const auto admitted = input.find("admitted"); admitted && is_true(admitted->at("status"))) {
    workload.status.admitted = admitted->at("at").time();
  }
  if (const auto ready = input.find("podsReady")) workload.status.pods_ready = read_condition(*ready);
  const auto wait = pods_ready_wait(workload, one.settings.pods_ready, now_of(one));
  const CaseValue expected = one.expected();
  expected.knows_only({"cause", "recheckAfterSeconds"});
  const auto cause = expected.find("cause");
  differences.expect<std::string>("cause", cause ? cause->text() : "", wait ? wait->cause : "");
  const auto recheck = expected.find("recheckAfterSeconds");
  differences.expect("recheck after (ms)", recheck ? recheck->seconds().count() : 0,
                     wait ? wait->left.count() : 0);
}

void run_provisioning_check(const KueueCase& one, Differences& differences) {
  ProvisioningState state = read_state(one);
  reconcile_provisioning(state, read_config(one.value.at("settings")), one.settings.gates, kStart);
  std::set<std::string> names;
  for (const ProvisioningRequest& request : state.requests) names.insert(request.name);
  const CaseValue expected = one.expected();
  expected.knows_only({"check", "requests", "requestsGone"});
  if (const auto check = expected.find("check")) compare_check(*check, state, differences);
  for (const std::string& name : expected.texts_of("requests")) {
    if (!names.contains(name)) differences.note("request " + name, "there", "none");
  }
  for (const std::string& name : expected.texts_of("requestsGone")) {
    if (names.contains(name)) differences.note("request " + name, "none", "there");
  }
}

}  // namespace stockout::kueue
