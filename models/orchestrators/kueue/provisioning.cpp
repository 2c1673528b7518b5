#include "models/orchestrators/kueue/provisioning.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/orchestrators/kueue/admission_checks.h"

namespace stockout::kueue {
namespace {

class ProvisioningStep {
 public:
  ProvisioningStep(ProvisioningState& state, Check& check, const ProvisioningConfig& config, SimTime now)
      : state_{state}, check_{check}, config_{config}, now_{now} {}

  void run() {
    const bool is_needed = needs_request();
    keep_latest(is_needed);
    if (!is_needed) {
      set(CheckState::ready);
      return;
    }
    if (!state_.requests.empty()) follow(state_.requests.front());
    if (check_.state != CheckState::ready) make_request();
  }

 private:
  [[nodiscard]] bool needs_request() const {
    return std::any_of(state_.workload.spec.pod_sets.begin(), state_.workload.spec.pod_sets.end(),
                       [&](const PodSet& pod_set) { return pod_set.count > 0 && is_managed(pod_set); });
  }

  [[nodiscard]] bool is_managed(const PodSet& pod_set) const {
    const auto& managed = config_.managed_resources;
    return managed.empty() || std::any_of(managed.begin(), managed.end(), [&](const std::string& resource) {
             return pod_set.requests.contains(resource);
           });
  }

  // The last attempt that goes with the config; the others are deleted.
  void keep_latest(bool is_needed) {
    const ProvisioningRequest* latest = nullptr;
    for (const ProvisioningRequest& request : state_.requests) {
      if (!is_needed || request.check != state_.check || !request.matches_config) continue;
      if (latest == nullptr || request.attempt > latest->attempt) latest = &request;
    }
    std::vector<ProvisioningRequest> kept;
    if (latest != nullptr) kept.push_back(*latest);
    state_.requests = std::move(kept);
  }

  void follow(const ProvisioningRequest& request) {
    if (request.failed) {
      retry_or_reject(request);
    } else if (request.capacity_revoked) {
      if (state_.workload.spec.active && !state_.workload.status.finished) set(CheckState::rejected);
    } else if (request.booking_expired) {
      if (!state_.workload.status.admitted) retry_or_reject(request);
    } else if (request.provisioned.value_or(false)) {
      set(CheckState::ready);
    } else if (!request.accepted || request.provisioned) {
      set(CheckState::pending);
    }
  }

  // An attempt of before the last eviction was told already.
  void retry_or_reject(const ProvisioningRequest& request) {
    const ProvisioningRetry rule = config_.retry.value_or(ProvisioningRetry{});
    if (request.attempt > rule.limit) {
      set(CheckState::rejected);
    } else if (request.attempt > check_.retries) {
      set(CheckState::retry);
      check_.requeue_after = backoff(rule.base, rule.most, check_.retries + 1);
    }
  }

  // The first one, or the next after one that failed once the check is pending again.
  void make_request() {
    if (state_.requests.empty()) {
      add_request(check_.retries + 1);
      return;
    }
    const ProvisioningRequest& last = state_.requests.front();
    const bool has_failed = last.failed || (last.booking_expired && !state_.workload.status.admitted);
    if (!has_failed || check_.state != CheckState::pending) return;
    add_request(last.attempt + 1);
  }

  void add_request(std::int32_t attempt) {
    state_.requests.push_back({.name = fmt::format("{}-{}-{}", state_.workload.name, state_.check, attempt),
                               .check = state_.check,
                               .attempt = attempt});
  }

  void set(CheckState state) {
    if (check_.state != state) check_.changed = now_;
    check_.state = state;
  }

  ProvisioningState& state_;
  Check& check_;
  const ProvisioningConfig& config_;
  SimTime now_;
};

}  // namespace

void reconcile_provisioning(ProvisioningState& state, const std::optional<ProvisioningConfig>& config,
                            const Gates& gates, SimTime now) {
  Workload& workload = state.workload;
  if (workload.status.finished ||
      (workload.status.evicted.status && gates.has(Gate::cleanup_requests_on_eviction))) {
    state.requests.clear();
    return;
  }
  if (workload.status.evicted.status || !workload.has_quota()) return;
  const auto check = std::find_if(workload.status.checks.begin(), workload.status.checks.end(),
                                  [&](const Check& one) { return one.name == state.check; });
  if (check == workload.status.checks.end()) return;
  if (config) {
    ProvisioningStep{state, *check, *config, now}.run();
  } else {
    state.requests.clear();
    check->state = CheckState::pending;
  }
}

}  // namespace stockout::kueue
