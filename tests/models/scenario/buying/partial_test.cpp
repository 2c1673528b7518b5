#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

Scenario gang_of_five(const std::string& leg) {
  return ScenarioLoader{}.small({{"/workload/0/nodes", "5"}, {"/strategies/0/legs/0", leg}});
}

std::string error_of(const std::vector<Override>& overrides) {
  return test::error_in([&] { static_cast<void>(ScenarioLoader{}.small(overrides)); });
}

std::string leg_error(const std::string& leg) { return error_of({{"/strategies/0/legs/0", leg}}); }

}  // namespace

TEST_CASE("A leg may take fewer machines, by number or share", "[scenario]") {
  const auto least = [](const std::string& partial) {
    const Scenario scenario = gang_of_five(R"({"model": "spot", "partial": )" + partial + "}");
    return scenario.world.strategies[0].legs[0].candidates[0][0].least;
  };
  CHECK(least(R"({"least": 2})") == 2);
  CHECK(least(R"({"least": 8})") == 5);          // a job that asks for fewer takes all
  CHECK(least(R"({"least_share": 0.5})") == 3);  // rounded up
  CHECK(least(R"({"least_share": 1})") == 5);
  CHECK(least(R"({"least_share": 0.0001})") == 1);
  const Scenario hundred = ScenarioLoader{}.small(
      {{"/workload/0/nodes", "100"},
       {"/pools/0/gpus", "100"},
       {"/strategies/0/legs/0", R"({"model": "spot", "partial": {"least_share": 0.07}})"}});
  CHECK(hundred.world.strategies[0].legs[0].candidates[0][0].least == 7);  // not 8
}

TEST_CASE("A leg that gathers says how long and how often it asks", "[scenario]") {
  const Scenario scenario =
      gang_of_five(R"({"model": "on_demand", "partial": {"least": 2, "gather": "10min"}})");
  const Leg& leg = scenario.world.strategies[0].legs[0];
  REQUIRE(leg.partial);
  CHECK(leg.partial->gather == 10min);
  CHECK(leg.partial->interval == 30s);
  const Leg atomic =
      gang_of_five(R"({"model": "spot", "partial": {"least": 2}})").world.strategies[0].legs[0];
  CHECK(atomic.partial->gather == 0s);
  CHECK_FALSE(gang_of_five(R"({"model": "spot"})").world.strategies[0].legs[0].partial);
  CHECK(std::ranges::any_of(scenario.assumptions, [](const std::string& line) {
    return line == "on_demand: a job on fewer machines than it asked for works in proportion to them";
  }));
}

TEST_CASE("A job of unequal nodes is taken whole", "[scenario]") {
  const ScenarioLoader loader;
  static_cast<void>(loader.folder().file("t.csv", "submit,duration,gpus\n2026-08-03 12:00:00,3600,5\n"));
  const Scenario scenario = loader.small(
      {{"/workload/0",
        R"({"name": "jobs", "gpu": "A100-40GB", "trace": {"format": "csv", "gpus_per_node": 2, "file": ")" +
            loader.folder().path("t.csv") + R"("}})"},
       {"/pools/0", R"({"family": "a2-highgpu", "place": "us-central1-a", "gpus": 8})"},
       {"/reservations", "[]"},
       {"/strategies/0/legs/0", R"({"model": "spot", "partial": {"least": 1}})"}});
  REQUIRE_FALSE(scenario.world.strategies[0].legs[0].candidates[0].empty());
  const Candidate& candidate = scenario.world.strategies[0].legs[0].candidates[0][0];
  REQUIRE(candidate.parts[1].machines > 0);
  CHECK(candidate.least == 0);
}

TEST_CASE("Fewer machines where they cannot be had are an error", "[scenario]") {
  CHECK(
      leg_error(R"({"model": "flex_start", "partial": {"least": 2}})") ==
      "command line: --set /strategies/0/legs/0: /strategies/0/legs/0/partial: cannot be combined with model "
      "\"flex_start\": it waits for all machines of a job; take a model that is granted or refused at once, "
      "such as spot");
  CHECK(leg_error(R"({"model": "reservation", "reservation": "held", "partial": {"least": 2}})")
            .find("cannot be combined with model \"reservation\"") != std::string::npos);
  CHECK(leg_error(R"({"model": "spot", "partial": {"gather": "1min"}})").find("least") != std::string::npos);
  CHECK(leg_error(R"({"model": "spot", "partial": {"least": 2, "least_share": 0.5}})").find("least_share") !=
        std::string::npos);
  CHECK(leg_error(R"({"model": "spot", "partial": {"least": 0}})") != "");
  CHECK(leg_error(R"({"model": "spot", "partial": {"least_share": 0}})") != "");
  CHECK(leg_error(R"({"model": "spot", "partial": {"least_share": 1.5}})") != "");
  CHECK(leg_error(R"({"model": "spot", "partial": {"least": 2, "every": "0s"}})") != "");
  CHECK(leg_error(R"({"model": "spot", "partial": {"least": 2, "gather": "-1min"}})") != "");
  CHECK(leg_error(R"({"model": "spot", "partial": {"least": 1e9}})") != "");
}

TEST_CASE("Fewer machines under a deadline rule are an error", "[scenario]") {
  CHECK(error_of({{"/strategies/0",
                   R"({"name": "rule", "deadline_rule": {}, "legs": [
                       {"model": "spot", "partial": {"least": 2}}, {"model": "on_demand"}]})"}})
            .find("cannot be combined with \"deadline_rule\"") != std::string::npos);
}

TEST_CASE("A gang that asks for ever without a pause is refused", "[scenario]") {
  CHECK(error_of({{"/window", "3000d"},
                  {"/workload/0", R"({"name": "jobs", "poisson": {"per_day": 20000}, "nodes": 2,
                                      "machine": "generic", "work": "1h"})"},
                  {"/strategies/0/legs/0",
                   R"({"model": "spot", "partial": {"least": 2, "gather": "3000d", "every": "1s"}})"}}) !=
        "");
}

TEST_CASE("Lost machines are asked for again if the leg gathers", "[scenario]") {
  const auto recreates = [](const std::string& partial) {
    return gang_of_five(R"({"model": "spot", "partial": )" + partial + "}")
        .world.strategies[0]
        .legs[0]
        .partial->recreates;
  };
  CHECK(recreates(R"({"least": 2, "gather": "10min", "recreate": true})"));
  CHECK_FALSE(recreates(R"({"least": 2, "gather": "10min"})"));
  CHECK(
      leg_error(R"({"model": "spot", "partial": {"least": 2, "recreate": true}})") ==
      "command line: --set /strategies/0/legs/0: /strategies/0/legs/0/partial: \"gather\" is missing, which "
      "recreate true requires: so long the rest waits for machines in place of those lost");
  CHECK(leg_error(R"({"model": "spot", "partial": {"least": 2, "recreate": true, "gather": "0s"}})")
            .find("/partial/gather: must be more than 0s with \"recreate\"") != std::string::npos);
  CHECK(leg_error(R"({"model": "spot", "partial": {"least": 2, "gather": "0s", "every": "1min"}})") == "");
}
