// The provider's other customers, from the scenario file through a run: their machines are their own,
// whatever else is in the scenario.

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

// Tenants on a3-highgpu-8g, and a second pool whose machines have one GPU.
constexpr const char* kPools = R"([
    {"name": "H100", "family": "a3-highgpu", "place": "us-central1-a", "hosts": 8,
     "faults": [{"name": "disk", "life": {"exponential": "1d"}, "repair": "12h"}],
     "tenants": {"load": 0.9, "sizes": [{"hosts": 1}]}},
    {"name": "L4", "family": "g2-standard", "place": "us-central1", "hosts": 4}])";
constexpr const char* kLarge =
    R"({"name": "large", "poisson": {"per_day": 20}, "machine": "a3-highgpu-8g", "work": "2h"})";
constexpr const char* kSmall =
    R"({"name": "small", "poisson": {"per_day": 20}, "machine": "g2-standard-8", "work": "2h"})";

Scenario load(const std::string& workload, std::vector<Override> more = {}) {
  std::vector<Override> overrides{{"/reservations", "[]"}, {"/pools", kPools}, {"/workload", workload}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return test::ScenarioLoader{}.small(std::move(overrides));
}

RunRecord run(const Scenario& scenario) { return simulate(scenario.world, 0, 0); }

std::string list(const std::string& first, const std::string& second) {
  return "[" + first + ", " + second + "]";
}

void check_pool_of_tenants(const RunRecord& one, const RunRecord& other) {
  CHECK(one.pools[0].capacity == other.pools[0].capacity);
  CHECK(one.pools[0].leased == other.pools[0].leased);
}

}  // namespace

TEST_CASE("Tenants lease machines of their pool, under no price line", "[scenario]") {
  const Scenario scenario = load(list(kLarge, kSmall));
  const World& world = scenario.world;
  const Source& tenants = world.sources.back();
  REQUIRE(tenants.background);
  for (const Strategy& strategy : tenants.tenants) {
    for (const auto& candidates : strategy.legs.at(0).candidates) {
      for (const Candidate& candidate : candidates) {
        const Part& part = candidate.parts[0];
        CHECK(part.line.is_none());
        CHECK_THROWS_AS(part.line.value(), InvariantError);
        CHECK(world.machines[index(part.machine)].name == "a3-highgpu-8g");
        CHECK(part.gpus == 8);
        CHECK(candidate.gpus == GpuCount{8});
      }
    }
  }
}

TEST_CASE("A tenant's broken machine takes its own GPUs, in whatever order jobs are listed", "[scenario]") {
  const char* pair =
      R"({"name": "pair", "poisson": {"per_day": 20}, "machine": "g2-standard-24", "work": "2h"})";
  check_pool_of_tenants(run(load(list(kSmall, pair))), run(load(list(pair, kSmall))));
}

TEST_CASE("A reservation that nobody uses changes nothing for tenants elsewhere", "[scenario]") {
  const std::string jobs = list(kLarge, kSmall);
  const RunRecord without = run(load(jobs));
  const char* reserved = R"([{"name": "r", "machine": "g2-standard-8", "place": "us-central1", "count": 1}])";
  const RunRecord with = run(load(jobs, {{"/reservations", reserved}}));
  check_pool_of_tenants(without, with);
  CHECK(without.pools[1].leased == with.pools[1].leased);
}

TEST_CASE("Tenants' machines break where no job's do", "[scenario]") {
  const RunRecord record = run(load("[" + std::string{kSmall} + "]"));
  std::uint64_t faults = 0;
  for (const ClassTotals& of_class : record.pools[0].classes) faults += of_class.faults;
  CHECK(faults > 0);
  CHECK(record.pools[0].capacity < GpuCount{64} * (record.end - kStart));
}

TEST_CASE("Tenants are placed on hosts", "[scenario]") {
  const char* pool = R"([{"name": "zone", "family": "a3-highgpu", "place": "us-central1-a", "hosts": 4,
                          "placement": {}, "tenants": {"load": 0.9}}])";
  const RunRecord record = run(load("[" + std::string{kLarge} + "]", {{"/pools", pool}}));
  CHECK(record.pools[0].leased > GpuTime{});
  CHECK(record.pools[0].host_free < record.pools[0].capacity);
}
