// "spread" of a leg: gangs over the zones of a region.

#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;

namespace {

constexpr const char* kZones = R"([
  {"family": "a3-highgpu", "place": "us-central1-a", "gpus": 8},
  {"family": "a3-highgpu", "place": "us-central1-b", "gpus": 8},
  {"family": "a3-highgpu", "place": "us-east4-a", "gpus": 8}])";
constexpr const char* kJobs =
    R"({"name": "jobs", "schedule": {"at": "12:00"}, "machine": "a3-highgpu-8g", "nodes": 2, "work": "1h"})";

std::vector<Override> with_leg(const std::string& leg, const std::string& jobs = kJobs) {
  return {{"/prices", "[]"},
          {"/pools", kZones},
          {"/reservations", "[]"},
          {"/workload/0", jobs},
          {"/strategies/0/legs/0", leg}};
}

std::string leg_error(const std::string& leg, const std::string& jobs = kJobs) {
  return error_in([&] { static_cast<void>(ScenarioLoader{}.small(with_leg(leg, jobs))); });
}

bool says(const std::string& error, const std::string& words) {
  return error.find("/strategies/0/legs/0/spread: ") != std::string::npos &&
         error.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("A leg may spread a gang over the zones of a region", "[scenario]") {
  const auto spread = [](const std::string& word) {
    const Scenario scenario = ScenarioLoader{}.small(
        with_leg(R"({"model": "spot", "places": ["us-central1"], "spread": ")" + word + R"("})"));
    return scenario.world.strategies[0].legs[0].spread;
  };
  CHECK(spread("any") == Spread::any);
  CHECK(spread("balanced") == Spread::balanced);
  CHECK(spread("any_single_zone") == Spread::any_single_zone);
  const Scenario scenario = ScenarioLoader{}.small(
      with_leg(R"({"model": "on_demand", "places": ["us-central1"], "spread": "any"})"));
  CHECK(std::ranges::any_of(scenario.assumptions, [](const std::string& line) {
    return line ==
           "on_demand us-central1-a, us-central1-b: a gang spread over zones works as fast as in one, and "
           "its machines go to the zones with the most room first";
  }));
  const Leg plain = ScenarioLoader{}
                        .small(with_leg(R"({"model": "spot", "places": ["us-central1"]})"))
                        .world.strategies[0]
                        .legs[0];
  CHECK(plain.spread == Spread::any_single_zone);
}

TEST_CASE("A gang that is spread may have a minimum count", "[scenario]") {
  const auto leg_of = [](const std::string& spread) {
    return ScenarioLoader{}
        .small(with_leg(R"({"model": "on_demand", "places": ["us-central1"], "partial": {"least_share": 0.5},
                            "spread": ")" +
                        spread + R"("})"))
        .world.strategies[0]
        .legs[0];
  };
  const Leg spread = leg_of("balanced");
  CHECK_FALSE(spread.partial);  // it comes at one instant and goes as one
  REQUIRE(spread.candidates.at(0).size() == 2);
  for (const Candidate& place : spread.candidates[0]) {
    CHECK(place.machines() == 2);
    CHECK(place.least_machines() == 1);
  }
  CHECK(leg_of("any_single_zone").partial);
}

TEST_CASE("A spread where no gang could stand in several zones is an error", "[scenario]") {
  CHECK(says(
      leg_error(R"({"model": "flex_start", "places": ["us-central1"], "spread": "any"})"),
      "/spread: \"any\" cannot be combined with model \"flex_start\": it waits for its machines, which come in "
      "one zone"));
  CHECK(leg_error(R"({"model": "flex_start", "places": ["us-central1"], "spread": "any_single_zone"})") ==
        "");
  CHECK(says(leg_error(R"({"model": "spot", "spread": "any"})"),
             "the leg has places in us-central1 and us-east4"));
  CHECK(leg_error(R"({"model": "spot", "places": ["us-central1"], "spread": "any",
                      "partial": {"least": 1, "gather": "1h", "every": "5min"}})")
            .find("/partial/gather: cannot be combined with spread \"any\": all machines come at one "
                  "instant") != std::string::npos);
  CHECK(says(leg_error(R"({"model": "spot", "places": ["us-central1"], "spread": "balanced",
                           "orchestrator": "vertex"})"),
             "no source says that Vertex AI spreads a job over zones"));
  CHECK(says(leg_error(R"({"model": "spot", "places": ["us-central1"], "spread": "balanced",
                           "orchestrator": "gke"})"),
             "a node group of GKE that a job asks is in one zone"));
  CHECK(leg_error(R"({"model": "spot", "places": ["us-central1"], "spread": "balanced",
                      "orchestrator": "compute_engine"})") == "");
  CHECK(leg_error(R"({"model": "spot", "places": ["us-central1"], "spread": "even"})") != "");
}

TEST_CASE("A spread on hosts, under a deadline rule, or of nodes that exchange is an error", "[scenario]") {
  auto on_hosts = with_leg(R"({"model": "spot", "places": ["us-central1"], "spread": "any"})");
  on_hosts.push_back({"/pools/1", R"({"family": "a3-highgpu", "place": "us-central1-b", "hosts": 2,
                                      "placement": {}})"});
  CHECK(says(error_in([&] { static_cast<void>(ScenarioLoader{}.small(on_hosts)); }),
             "cannot be combined with hosts"));
  CHECK(error_in([] {
          static_cast<void>(
              ScenarioLoader{}.small({{"/strategies/0", R"({"name": "rule", "deadline_rule": {}, "legs": [
                   {"model": "spot", "spread": "any"}, {"model": "on_demand"}]})"}}));
        }).find("/spread: \"any\" cannot be combined with \"deadline_rule\"") != std::string::npos);
  CHECK(says(leg_error(R"({"model": "spot", "places": ["us-central1"], "spread": "any"})",
                       R"({"name": "jobs", "schedule": {"at": "12:00"}, "nodes": 2, "gpus": 8, "work": "1h",
                           "speed": {"reference": "H100-80GB", "gpus": {"H100-80GB": 1},
                                     "scaling": {"message": 14, "step": "1s", "measured_on": "a3-highgpu"}}})"),
             "no source says how fast that is between zones"));
}
