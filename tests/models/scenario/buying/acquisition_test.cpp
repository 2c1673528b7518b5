#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

// The keys of races and of strategies that look at prices.

using namespace stockout;
using Catch::Contains;

namespace {

Scenario with(std::vector<Override> overrides) { return test::ScenarioLoader{}.small(std::move(overrides)); }

std::string error_of(std::vector<Override> overrides) {
  return test::error_in([&] { static_cast<void>(with(std::move(overrides))); });
}

}  // namespace

TEST_CASE("A leg that waits may race to the first boot", "[scenario]") {
  const auto race = [](const std::string& leg) {
    return with({{"/strategies/0/legs/0", leg}}).world.strategies[0].legs[0].race;
  };
  CHECK(race(R"({"model": "flex_start"})") == Race::first_grant);
  CHECK(race(R"({"model": "flex_start", "race": "first_boot"})") == Race::first_boot);
  CHECK(race(R"({"model": "reservation", "reservation": "held", "race": "first_boot"})") == Race::first_boot);
  CHECK(race(R"({"model": "on_demand", "race": "first_grant"})") == Race::first_grant);
  CHECK_THAT(
      error_of({{"/strategies/0/legs/0", R"({"model": "on_demand", "race": "first_boot"})"}}),
      Contains("/race: \"first_boot\" cannot be combined with model \"on_demand\": it asks one place after"));
  CHECK_THAT(error_of({{"/strategies/0/legs/0", R"({"model": "flex_start", "race": "boot"})"}}),
             Contains("first_boot"));
}

TEST_CASE("Rivals of a race are bounded", "[scenario]") {
  std::string pools;
  for (int i = 0; i < 257; ++i) {
    pools += i == 0 ? "[" : ",";
    pools += R"({"name": "zone )" + std::to_string(i) +
             R"(", "family": "generic", "place": "generic", "gpus": 8})";
  }
  CHECK_THAT(error_of({{"/pools", pools + "]"},
                       {"/strategies/0/legs/0", R"({"model": "flex_start", "race": "first_boot"})"}}),
             Contains("race: takes at most 256 places, not 257"));
}

TEST_CASE("A strategy may look at prices", "[scenario]") {
  CHECK_FALSE(with({}).world.strategies[0].cheapest_first);
  CHECK_FALSE(with({{"/strategies/0/order", "listed"}}).world.strategies[0].cheapest_first);
  CHECK(with({{"/strategies/0/order", "cheapest_first"}}).world.strategies[0].cheapest_first);
  CHECK_THAT(error_of({{"/strategies/0/order", "dearest"}}), Contains("cheapest_first"));
  CHECK_THAT(error_of({{"/strategies/0/legs", R"([{"model": "spot"}, {"model": "on_demand"}])"},
                       {"/strategies/0/deadline_rule", "{}"},
                       {"/strategies/0/order", "cheapest_first"}}),
             Contains("/deadline_rule: cannot be combined with order \"cheapest_first\""));
}
