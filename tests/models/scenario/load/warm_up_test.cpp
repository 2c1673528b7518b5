// The warm-up as a rule finds it: how long tenants take to settle.

#include <string>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "models/launch/most_steps.h"
#include "models/launch/ready_to_run.h"
#include "sim/core/check.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using std::chrono::days;

namespace {

constexpr const char* kRule = R"({"rule": "mser5"})";

// Tenants of a pool of 80 machines, who hold them for a mean of `hours`.
std::string pool(double hours, double load = 0.6, const std::string& mix = R"({"on_demand": 1})") {
  return fmt::format(
      R"({{"name": "zone", "family": "generic", "place": "generic", "machine": "generic", "machines": 80,
           "tenants": {{"load": {}, "mix": {}, "work": {{"exponential": "{}h"}},
                        "sizes": [{{"machines": 1, "weight": 1}}], "daily_swing": 0.5, "max_wait": "1000d"}}}})",
      load, mix, hours);
}

Scenario with(const std::string& zone, const std::string& warm_up = kRule) {
  const test::ScratchFolder folder;
  const std::string path = folder.file("s.json", test::kSmallScenario);
  return ready_to_run({.overrides = {{"/pools/0", zone}, {"/warm_up", warm_up}},
                       .catalog_dir = {},
                       .seed = {},
                       .replications = {}},
                      [&](const ScenarioOptions& options) { return load_scenario(path, options); });
}

Scenario read_only(const std::string& zone, const std::string& warm_up) {
  return test::ScenarioLoader{}.small({{"/pools/0", zone}, {"/warm_up", warm_up}});
}

SimDuration warm_up_of(const Scenario& scenario) { return kStart - scenario.world.begin; }

std::string error_with(const std::string& zone, const std::string& warm_up) {
  return test::error_in([&] { static_cast<void>(with(zone, warm_up)); });
}

}  // namespace

TEST_CASE("Reading asks no rule: the world has the longest warm-up, and says where it is left open",
          "[scenario]") {
  const Scenario read = read_only(pool(1), R"({"rule": "mser5", "most": "20d"})");
  CHECK(warm_up_of(read) == days{20});
  REQUIRE(read.warm_up_to_find);
  CHECK(read.warm_up_rule.empty());
  CHECK_THROWS_AS(in_most_steps(read, [] { return 0; }), InvariantError);
  CHECK_FALSE(with(pool(1)).warm_up_to_find);
  CHECK_FALSE(read_only(pool(1), "\"3d\"").warm_up_to_find);
  CHECK_NOTHROW(read_only(pool(4, 3, R"({"flex_start": 1})"), kRule));  // its tenants never settle
}

TEST_CASE("A rule finds a warm-up of whole days, and says that it has", "[scenario]") {
  const Scenario scenario = with(pool(1));
  CHECK(warm_up_of(scenario) == days{1});
  CHECK_THAT(scenario.warm_up_rule, Catch::Contains("MSER-5"));
  CHECK(scenario.world.sources.back().background);
  CHECK(std::get<SyntheticDemand>(scenario.world.sources.back().demand).from == scenario.world.begin);
  CHECK(with(pool(1), "\"3d\"").warm_up_rule.empty());
  CHECK(warm_up_of(with(pool(1), "\"3d\"")) == days{3});
}

// Machines in use come to within 1 / e of their limit in one mean stay (M/G/inf with exponential stays), to
// within 5 % in three.
TEST_CASE("Tenants who stay long take long to settle", "[scenario]") {
  const SimDuration found = warm_up_of(with(pool(5 * 24)));
  CHECK(found >= days{5});
  CHECK(found <= days{30});
  CHECK(found % days{1} == SimDuration::zero());
  CHECK(found == warm_up_of(with(pool(5 * 24))));
}

TEST_CASE("Tenants who never settle are an error that says what to do", "[scenario]") {
  CHECK_THAT(error_with(pool(4, 3, R"({"flex_start": 1})"), kRule),
             Catch::Contains("the tenants of zone do not settle within 60d (MSER-5)") &&
                 Catch::Contains("\"most\""));
}

TEST_CASE("Without tenants there is nothing to warm up: jobs are never cut", "[scenario]") {
  const std::string nobody = R"({"name": "zone", "family": "generic", "place": "generic", "gpus": 8})";
  CHECK_THAT(error_with(nobody, kRule), Catch::Contains("/warm_up") && Catch::Contains("are never cut"));
}

TEST_CASE("A pilot that would take long is refused", "[scenario]") {
  CHECK_THAT(error_with(pool(0.5, 50), R"({"rule": "mser5", "most": "365d"})"),
             Catch::Contains("its pilot would have") && Catch::Contains("\"most\""));
}

TEST_CASE("A rule that cannot be asked for is refused", "[scenario]") {
  CHECK_THAT(error_with(pool(1), R"({"rule": "mser"})"), Catch::Contains("/warm_up/rule"));
  CHECK_THAT(error_with(pool(1), R"({"rule": "mser5", "most": "1d"})"), Catch::Contains("/warm_up/most"));
  CHECK_THAT(error_with(pool(1), R"({"rule": "mser5", "most": "1000d"})"),
             Catch::Contains("/warm_up/most: must be at most 365d"));
  CHECK_THAT(error_with(pool(1), R"({"most": "20d"})"), Catch::Contains("\"rule\" is missing"));
}
