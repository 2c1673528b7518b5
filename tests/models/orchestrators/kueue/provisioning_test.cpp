// Requests for capacity, as the check that waits for them makes them.

#include <catch2/catch.hpp>

#include "models/orchestrators/kueue/provisioning.h"
#include "tests/models/orchestrators/kueue/made_up_cluster.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

// A workload that holds quota, and has the check.
ProvisioningState waiting() {
  ProvisioningState state{.workload = job("x", 1), .check = "capacity"};
  state.workload.status.admission = Admission{};
  state.workload.status.checks = {{.name = "capacity"}};
  return state;
}

ProvisioningRequest attempt(std::int32_t number) { return {.check = "capacity", .attempt = number}; }

// What one reconciliation makes of it.
ProvisioningState after(ProvisioningState state, const ProvisioningConfig& config = {},
                        const Gates& gates = {}) {
  reconcile_provisioning(state, config, gates, kStart + 5s);
  return state;
}

}  // namespace

TEST_CASE("A request for capacity that fails is made again after 60, 120 and 240 s, then no more",
          "[kueue][provisioning]") {
  ProvisioningState state{.workload = job("x", 1), .check = "capacity"};
  state.workload.status.admission = Admission{};
  state.workload.status.checks = {{.name = "capacity"}};
  Check& check = state.workload.status.checks.front();
  const ProvisioningConfig config;
  const auto reconcile = [&] { reconcile_provisioning(state, config, {}, kStart); };
  for (int attempt = 1; attempt <= 3; ++attempt) {
    CAPTURE(attempt);
    reconcile();
    REQUIRE(state.requests.size() == 1);
    CHECK(state.requests.front().attempt == attempt);
    state.requests.front().failed = true;
    reconcile();
    CHECK(check.state == CheckState::retry);
    CHECK(check.requeue_after == 60s * (1 << (attempt - 1)));
    state.requests.clear();  // the eviction
    check = {.name = "capacity", .retries = attempt};
  }
  reconcile();
  state.requests.front().failed = true;
  reconcile();
  CHECK(check.state == CheckState::rejected);
}

TEST_CASE("A booking that expires counts before admission only, capacity that is revoked always",
          "[kueue][provisioning]") {
  ProvisioningState state{.workload = job("x", 1), .check = "capacity"};
  state.workload.status.admission = Admission{};
  state.workload.status.checks = {{.name = "capacity"}};
  const auto state_after = [&](ProvisioningRequest request, bool admitted) {
    ProvisioningState now = state;
    now.requests = {request};
    if (admitted) now.workload.status.admitted = kStart;
    if (admitted) now.workload.status.checks.front().state = CheckState::ready;
    reconcile_provisioning(now, ProvisioningConfig{}, {}, kStart);
    return now.workload.status.checks.front().state;
  };
  const ProvisioningRequest expired{.check = "capacity", .provisioned = true, .booking_expired = true};
  const ProvisioningRequest revoked{.check = "capacity", .provisioned = true, .capacity_revoked = true};
  CHECK(state_after(expired, false) == CheckState::retry);
  CHECK(state_after(expired, true) == CheckState::ready);
  CHECK(state_after(revoked, true) == CheckState::rejected);
  CHECK(state_after({.check = "capacity", .provisioned = true}, false) == CheckState::ready);
}

TEST_CASE("A request is told by the name of its workload, check and attempt", "[kueue][provisioning]") {
  ProvisioningState state = waiting();
  state.workload.status.checks.front().retries = 2;
  const ProvisioningState made = after(state);
  REQUIRE(made.requests.size() == 1);
  CHECK(made.requests.front().name == "x-capacity-3");
  CHECK(made.workload.status.checks.front().state == CheckState::pending);
}

TEST_CASE("Only pod sets with a managed resource ask for capacity", "[kueue][provisioning]") {
  const ProvisioningState none = after(waiting(), {.managed_resources = {"tpu"}});
  CHECK(none.requests.empty());
  CHECK(none.workload.status.checks.front().state == CheckState::ready);
  CHECK(none.workload.status.checks.front().changed == kStart + 5s);
  CHECK(after(waiting(), {.managed_resources = {"tpu", "gpu"}}).requests.size() == 1);
}

TEST_CASE("Of several attempts the last counts, and one of another configuration is made anew",
          "[kueue][provisioning]") {
  ProvisioningState state = waiting();
  state.requests = {attempt(1), attempt(2)};
  state.requests.back().accepted = true;
  ProvisioningState kept = after(state);
  REQUIRE(kept.requests.size() == 1);
  CHECK(kept.requests.front().attempt == 2);
  CHECK(kept.workload.status.checks.front().state == CheckState::pending);
  for (ProvisioningRequest& request : state.requests) request.matches_config = false;
  kept = after(state);
  REQUIRE(kept.requests.size() == 1);
  CHECK(kept.requests.front().attempt == 1);
  CHECK(kept.requests.front().matches_config);
}

TEST_CASE("Requests go when their workload ends, and when it is evicted, unless a gate keeps them",
          "[kueue][provisioning]") {
  ProvisioningState state = waiting();
  state.requests = {attempt(1)};
  ProvisioningState ended = state;
  ended.workload.status.finished = true;
  CHECK(after(ended).requests.empty());
  state.workload.status.evicted.status = true;
  CHECK(after(state).requests.empty());
  Gates kept;
  kept.set(Gate::cleanup_requests_on_eviction, false);
  CHECK(after(state, {}, kept).requests.size() == 1);
}

TEST_CASE("Delays double up to the most that is allowed", "[kueue][provisioning]") {
  ProvisioningState state = waiting();
  state.workload.status.checks.front().retries = 4;
  state.requests = {attempt(5)};
  state.requests.front().failed = true;
  const ProvisioningConfig config{.retry = ProvisioningRetry{.limit = 9, .base = 1min, .most = 10min}};
  CHECK(after(state, config).workload.status.checks.front().requeue_after == 10min);
  state.requests.front().attempt = 10;
  CHECK(after(state, config).workload.status.checks.front().state == CheckState::rejected);
}
