// Node groups of legs that GKE's cluster autoscaler serves, as a scenario file has them.

#include <string>

#include <catch2/catch.hpp>

#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

Scenario scenario_with(const std::string& strategy) {
  const test::ScenarioLoader loader;
  return loader.small({{"/strategies/0", R"({"name": "s", )" + strategy + "}"}});
}

std::vector<Leg> legs_of(const std::string& strategy) {
  return scenario_with(strategy).world.strategies[0].legs;
}

std::string error_of(const std::string& strategy) {
  return test::error_in([&] { static_cast<void>(scenario_with(strategy)); });
}

bool assumes_groups(const std::string& strategy) {
  std::size_t times = 0;
  for (const std::string& text : scenario_with(strategy).assumptions)
    times += text.starts_with("GKE: node groups");
  CHECK(times <= 1);
  return times == 1;
}

}  // namespace

TEST_CASE("GKE's legs that are granted or refused at once have node groups, and no other legs",
          "[scenario]") {
  const auto legs = legs_of(R"("orchestrator": "gke", "legs": [{"model": "spot"}, {"model": "flex_start_mig"},
                               {"model": "on_demand", "orchestrator": "compute_engine"}, {"model": "on_demand"}])");
  REQUIRE(legs[0].node_group);
  CHECK(legs[0].policy.retry_interval == 5min);
  CHECK(legs[0].node_group->most == 30min);
  CHECK(legs[0].node_group->forget_after == 3h);
  CHECK_FALSE(legs[1].node_group);
  CHECK_FALSE(legs[2].node_group);
  CHECK(legs[3].node_group);
  CHECK_FALSE(legs_of(R"("legs": [{"model": "spot"}])")[0].node_group);
}

TEST_CASE("A scenario changes how long node groups back off, and what they remember", "[scenario]") {
  const auto legs = legs_of(R"("orchestrator": "gke", "legs": [{"model": "spot", "retry_interval": "2min"}],
                               "node_groups": {"back_off_most": "8min", "forget_after": "1h"})");
  CHECK(legs[0].policy.retry_interval == 2min);
  CHECK(legs[0].node_group->most == 8min);
  CHECK(legs[0].node_group->forget_after == 1h);
  // The first back-off may be longer than the longest is by default.
  const auto slow = legs_of(R"("orchestrator": "gke", "legs": [{"model": "spot", "retry_interval": "1h"}])");
  CHECK(slow[0].node_group->most == 1h);
}

TEST_CASE("Node groups that nobody would use, and back-offs that are none, are errors", "[scenario]") {
  CHECK_THAT(
      error_of(R"("orchestrator": "slurm", "legs": [{"model": "spot"}], "node_groups": {})"),
      Contains(
          "/strategies/0/node_groups: is allowed only with orchestrator \"gke\" or orchestrator \"gke\" of "
          "\"legs\": it is GKE's"));
  CHECK_THAT(
      error_of(R"("orchestrator": "gke", "legs": [{"model": "spot"}],
                         "node_groups": {"back_off_most": "4min"})"),
      Contains("/node_groups/back_off_most: is shorter than the first back-off, the \"retry_interval\" of "
               "spot: 5min"));
  CHECK_THAT(error_of(R"("orchestrator": "gke", "legs": [{"model": "spot", "retry_interval": "0s"},
                                                         {"model": "on_demand"}])"),
             Contains("/legs/0/retry_interval: a node group of spot backs off for 0s"));
}

TEST_CASE("Under a deadline rule GKE's legs may say how long a node group backs off", "[scenario]") {
  const std::string legs = R"("legs": [{"model": "spot", "retry_interval": "2min"}, {"model": "on_demand"}],
                              "deadline_rule": {})";
  CHECK(legs_of(R"("orchestrator": "gke", )" + legs)[0].policy.retry_interval == 2min);
  CHECK_THAT(error_of(R"("orchestrator": "vertex", )" + legs),
             Contains("/retry_interval: has no effect under"));
}

TEST_CASE("Node groups are listed as an assumption, once", "[scenario]") {
  CHECK(assumes_groups(R"("orchestrator": "gke", "legs": [{"model": "spot"}, {"model": "on_demand"}])"));
  CHECK_FALSE(assumes_groups(R"("orchestrator": "gke", "legs": [{"model": "flex_start_mig"}])"));
}

TEST_CASE("Queued provisioning of GKE may have pods that come late", "[scenario]") {
  const auto legs =
      legs_of(R"("orchestrator": "gke", "legs": [{"model": "flex_start_mig"}, {"model": "spot"}],
                               "provisioning_request": {"pods_after": {"uniform": ["0s", "20min"]}})");
  REQUIRE(legs[0].pods);
  CHECK(legs[0].pods->after.is_random());
  CHECK(legs[0].pods->hold == 10min);
  CHECK(legs[0].pods->again == 0s);
  CHECK_FALSE(legs[1].pods);
  CHECK_THAT(error_of(R"("orchestrator": "compute_engine", "legs": [{"model": "flex_start_mig"}],
                         "provisioning_request": {"pods_after": "1min"})"),
             Contains("/provisioning_request: is allowed only with orchestrator \"gke\""));
  CHECK_THAT(error_of(R"("legs": [{"model": "flex_start_mig"}, {"model": "spot", "orchestrator": "gke"}],
                         "provisioning_request": {"pods_after": "1min"})"),
             Contains("/provisioning_request: requires a leg of flex_start_mig under the orchestrator gke"));
  CHECK_THAT(error_of(R"("orchestrator": "gke", "legs": [{"model": "flex_start_mig", "race": "first_boot"}],
                         "provisioning_request": {"pods_after": "1min"})"),
             Contains("/legs/0/race: cannot be combined with \"provisioning_request\""));
}
