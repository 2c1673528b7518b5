// Hosts and compact legs, from the scenario file to the world, through a run, and into the tables.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/measures/measures.h"
#include "models/simulation/simulate.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr const char* kPool = R"({"name": "zone", "family": "a3-highgpu", "place": "us-central1-a", )";
constexpr const char* kJobs =
    R"([{"name": "small", "schedule": {"at": "12:00", "count": 2}, "machine": "a3-highgpu-4g", "work": "4h"},
        {"name": "large", "schedule": {"at": "13:00"}, "machine": "a3-highgpu-8g", "work": "1h"}])";
constexpr const char* kFlex =
    R"([{"name": "first", "legs": [{"model": "flex_start", "classes": ["small"]},
                                   {"model": "on_demand", "retries": 0, "classes": ["large"]}]}])";

Scenario load(const std::string& pool, std::vector<Override> more = {}) {
  std::vector<Override> overrides{{"/reservations", "[]"},
                                  {"/pools/0", kPool + pool + "}"},
                                  {"/workload", kJobs},
                                  {"/strategies", kFlex}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return test::ScenarioLoader{}.small(std::move(overrides));
}

std::string error_of(const std::string& pool, std::vector<Override> more = {}) {
  return test::error_in([&] { static_cast<void>(load(pool, std::move(more))); });
}

Placement placement_of(const std::string& pool) { return load(pool).world.pools[0].placement.value(); }

Values row_of_pool(const Scenario& scenario) {
  const RunRecord record = simulate(scenario.world, 0, 0);
  return measure(scenario.world, 0, 0, record, {.by = GroupBy::pool, .goal = {}}).groups.at(0);
}

constexpr const char* kCompact =
    R"([{"name": "first", "legs": [{"model": "flex_start", "compact": "neighbours"}]}])";

}  // namespace

TEST_CASE("A pool's hosts have the size of its family", "[scenario]") {
  const Placement placement =
      placement_of(R"("hosts": 24, "placement": {"fill": "worst_fit", "block_hosts": 4})");
  CHECK(placement.hosts == 24);
  CHECK(placement.host_gpus == 8);
  CHECK(placement.block_hosts == 4);
  CHECK(placement.fill == Fill::worst_fit);
  CHECK_FALSE(load(R"("hosts": 24)").world.pools[0].placement.has_value());
}

TEST_CASE("A placement's defaults: best fit, blocks as large as compact placement fills", "[scenario]") {
  CHECK(placement_of(R"("hosts": 24, "placement": {})").fill == Fill::best_fit);
  CHECK(placement_of(R"("hosts": 24, "placement": {})").block_hosts == 256);
}

TEST_CASE("A placement requires a fixed number of hosts whose machines do not break", "[scenario]") {
  using Catch::Contains;
  const std::string placement = R"(, "placement": {})";
  for (const char* capacity : {R"("gpus": 8)", R"("unlimited": true)", R"("gpus": [{"at": "0s", "gpus": 8}])",
                               R"("capacity": [{"classes": ["spot"], "hosts": 3}])"}) {
    CHECK_THAT(error_of(capacity + placement),
               Contains("/pools/0/placement") && Contains("fixed number of hosts"));
  }
  CHECK_THAT(error_of(R"("hosts": 4, "growth": {"hosts": 1, "every": "1d"})" + placement),
             Contains("/pools/0/growth") && Contains("cannot be combined with \"placement\""));
  CHECK_THAT(
      error_of(R"("hosts": 4, "faults": [{"name": "disk", "life": "9d", "repair": "1d"}])" + placement),
      Contains("/pools/0/faults") && Contains("cannot be combined with \"placement\""));
  CHECK_THAT(error_of(R"("hosts": 0)" + placement), Contains("/pools/0/hosts") && Contains("at least 1"));
  CHECK_THAT(error_of(R"("hosts": 4, "placement": {"block_hosts": 0})"),
             Contains("/pools/0/placement/block_hosts"));
  CHECK_THAT(error_of(R"("hosts": 4, "placement": {"fill": "best"})"), Contains("/pools/0/placement/fill"));
}

TEST_CASE("A leg is compact where there are hosts", "[scenario]") {
  const Scenario scenario = load(R"("hosts": 4, "placement": {})", {{"/strategies", kCompact}});
  CHECK(scenario.world.strategies[0].legs[0].compact == Compact::neighbours);
  CHECK_THAT(error_of(R"("hosts": 4)", {{"/strategies", kCompact}}),
             Catch::Contains("/strategies/0/legs/0/compact") && Catch::Contains("\"placement\""));
}

TEST_CASE("A gang that no block holds is reported before the run", "[scenario]") {
  const Scenario scenario = load(R"("hosts": 8, "placement": {"block_hosts": 1})",
                                 {{"/strategies", kCompact}, {"/workload/1/nodes", "3"}});
  const auto tells = [](const std::string& warning) {
    return warning.find("no leg could ever serve jobs of class \"large\"") != std::string::npos;
  };
  CHECK(std::ranges::any_of(scenario.warnings, tells));
}

TEST_CASE("What is free in pieces stands in the table of pools", "[scenario]") {
  // Two days; from noon to 16:00 two machines of 4 GPUs, at 13:00 one of 8 for an hour.
  SECTION("packed on one host, the other is whole") {
    const Values row = row_of_pool(load(R"("hosts": 2, "placement": {})"));
    CHECK(row[Measure::pool_misfits] == Value::exact(0));
    CHECK(row[Measure::pool_stranded] == Value::exact(0));
    CHECK(row[Measure::pool_fragmented] == Value::exact(0));
  }
  SECTION("spread over both, neither is") {
    const Values row = row_of_pool(load(R"("hosts": 2, "placement": {"fill": "worst_fit"})"));
    CHECK(row[Measure::pool_misfits] == Value::exact(2));
    CHECK(row[Measure::pool_stranded].value > 2 * 4 * 8 - 0.1);  // 8 GPUs for 4 h a day, without start-up
  }
  SECTION("a pool without hosts says nothing of them") {
    const Values row = row_of_pool(load(R"("hosts": 2)"));
    CHECK(row[Measure::pool_misfits].is_absent());
    CHECK(row[Measure::pool_free].is_absent());
  }
}
