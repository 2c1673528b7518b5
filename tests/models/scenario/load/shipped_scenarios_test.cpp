#include <string>

#include <catch2/catch.hpp>

#include "models/scenario/scenario.h"
#include "tests/support/shared_data.h"

using namespace stockout;

namespace {

const std::string kScenarios = STOCKOUT_SCENARIOS_DIR;

}  // namespace

TEST_CASE("The quickstart scenario is the one the project describes", "[scenario]") {
  const Scenario scenario = load_scenario(kScenarios + "/quickstart.json");
  const World& world = scenario.world;
  CHECK(scenario.start == "2026-08-03");
  CHECK(scenario.prices_as_of == "2026-07-30");
  CHECK(world.begin == kStart - std::chrono::days{7});
  CHECK(world.window_end == kStart + std::chrono::days{14});
  CHECK(world.end == RunEnd::drain);
  REQUIRE(world.pools.size() == 4);
  CHECK(world.pools[0].capacity[0].steps[0].gpus == GpuCount{24 * 8});
  CHECK(world.pools[1].capacity[0].steps[0].gpus == GpuCount{16 * 8});
  CHECK(world.pools[2].capacity[0].steps[0].gpus == GpuCount{10 * 8});
  CHECK(world.pools[3].capacity[0].steps[0].gpus == GpuCount{60});
  CHECK(world.held.size() == 1);
  CHECK(world.held[0].gpus == GpuCount{32});
  CHECK(world.sources.size() == 8);  // four of the team's, four of tenants
  REQUIRE(world.strategies.size() == 8);
  CHECK(world.strategies[0].held.empty());
  CHECK(world.strategies[5].held == std::vector{PoolId{4}});
  CHECK(world.users.size() == 1 + 60);
  CHECK(scenario.warnings.empty());
}

TEST_CASE("Every strategy of the quickstart can serve every job class", "[scenario]") {
  const Scenario scenario = load_scenario(kScenarios + "/quickstart.json");
  for (const Strategy& strategy : scenario.world.strategies) {
    CAPTURE(strategy.name);
    std::size_t served = 0;
    for (std::size_t shape = 0; shape < 4; ++shape) {
      for (const Leg& leg : strategy.legs) served += leg.candidates[shape].empty() ? 0U : 1U;
    }
    CHECK(served >= 4);
  }
}

TEST_CASE("The philly scenario reads its trace", "[scenario]") {
  const auto trace = test::shared_path("traces/workloads/philly/philly_dev_vcs.csv.gz");
  if (!trace) return;
  const Scenario scenario = load_scenario(
      kScenarios + "/philly.json",
      {.overrides = {{"/workload/0/trace/file", *trace}}, .catalog_dir = {}, .seed = {}, .replications = {}});
  CHECK(std::get<TraceDemand>(scenario.world.sources[0].demand).jobs->size() == 69'264);
  CHECK(scenario.world.strategies.size() == 4);
}

TEST_CASE("The H100 scenario reads its probes", "[scenario]") {
  if (!test::shared_path("traces/spot/gcp-h100-2025/probe_counts_dev_zones.csv.gz")) return;
  const Scenario scenario = load_scenario(kScenarios + "/h100-zones.json");
  REQUIRE(scenario.world.pools.size() == 6);
  for (const Pool& pool : scenario.world.pools) {
    CAPTURE(pool.name);
    CHECK(pool.capacity[0].classes == std::array{false, false, false, true});
    CHECK(pool.capacity[0].steps.size() > 10);
  }
}

TEST_CASE("The by-hand scenario loads", "[scenario]") {
  const Scenario scenario = load_scenario(kScenarios + "/by-hand.json");
  CHECK(scenario.world.strategies.size() == 1);
}
