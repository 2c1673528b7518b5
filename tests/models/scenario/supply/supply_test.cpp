// Capacity that grows or moves at random, from the scenario file to the world and through a run.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

const std::string kProfile =
    R"({"source": "a test", "cap": 8, "tick": "10min", "machines": [0, 3, 8],
        "transitions": [[0.9, 0.1, 0], [0.05, 0.9, 0.05], [0, 0.1, 0.9]]})";

std::string pool_with(const std::string& capacity) {
  return R"({"name": "zone", "family": "generic", "place": "generic", )" + capacity + "}";
}

std::string markov(const std::string& profile, const std::string& more = "") {
  return pool_with(
      R"("capacity": [{"classes": ["reserved", "on_demand", "flex", "spot"], "markov": {"profile": )" +
      profile + R"(, "shape": "generic")" + more + "}}]");
}

Scenario load(const std::string& pool, std::vector<Override> more = {}) {
  std::vector<Override> overrides{{"/pools/0", pool}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return test::ScenarioLoader{}.small(std::move(overrides));
}

std::string error_of(const std::string& pool) {
  return test::error_in([&] { static_cast<void>(load(pool)); });
}

bool says(const std::string& pool, const std::string& part) {
  const std::string error = error_of(pool);
  INFO(error);
  return error.find(part) != std::string::npos;
}

const std::vector<CapacityStep>& steps(const Scenario& scenario) {
  return scenario.world.pools[0].capacity[0].steps;
}

const MarkovCapacity& chain(const Scenario& scenario, std::size_t pool = 0) {
  return *scenario.world.pools[pool].capacity[0].chain;
}

}  // namespace

TEST_CASE("Capacity grows by a number of GPUs or machines", "[scenario][growth]") {
  const Scenario scenario =
      load(pool_with(R"("gpus": 10, "growth": {"gpus": 4, "every": "30d"})"), {{"/drain_limit", "90d"}});
  REQUIRE(steps(scenario).size() == 4);  // at 30, 60 and 90 of 92 days
  CHECK(steps(scenario)[0].at == scenario.world.begin);
  CHECK(steps(scenario)[1].at == kStart + 30 * 24h);
  CHECK(steps(scenario)[1].gpus == GpuCount{14});
  CHECK(steps(scenario)[3].gpus == GpuCount{22});
}

TEST_CASE("Capacity grows by per cent, in whole machines, and shrinks to nothing at most",
          "[scenario][growth]") {
  const Scenario up =
      load(pool_with(R"("gpus": 10, "growth": {"percent": 15, "every": "1d"})"), {{"/drain_limit", "2d"}});
  REQUIRE(steps(up).size() == 5);
  CHECK(steps(up)[1].gpus == GpuCount{11});  // 11.5
  CHECK(steps(up)[2].gpus == GpuCount{13});  // 13.225: of the exact number, not of the rounded one
  CHECK(steps(up)[4].gpus == GpuCount{17});  // 17.49
  const Scenario down = load(pool_with(R"("gpus": 10, "growth": {"gpus": -6, "every": "1d"})"));
  REQUIRE(steps(down).size() == 3);
  CHECK(steps(down)[1].gpus == GpuCount{4});
  CHECK(steps(down)[2].gpus == GpuCount{0});
}

TEST_CASE("Growth counts in hosts of the family", "[scenario][growth]") {
  const Scenario scenario = load(
      R"({"name": "zone", "family": "a3-highgpu", "place": "us-central1-a", "hosts": 10,
          "growth": {"percent": 25, "every": "1d"}})",
      {{"/drain_limit", "0s"},
       {"/strategies/0/legs/0/places", R"(["us-central1-a"])"},
       {"/workload/0/machine", "a3-highgpu-8g"},
       {"/reservations", "[]"}});
  REQUIRE(steps(scenario).size() == 3);
  CHECK(steps(scenario)[1].gpus == GpuCount{96});   // 12.5 hosts
  CHECK(steps(scenario)[2].gpus == GpuCount{120});  // 15.625
}

TEST_CASE("Growth that makes no sense is refused", "[scenario][growth]") {
  CHECK(says(pool_with(R"("gpus": 10, "growth": {"percent": 1000, "every": "1h"})"),
             "makes more than the 4000000"));
  CHECK(says(pool_with(R"("gpus": 10, "growth": {"gpus": 1, "every": "1s"})"), "at most 100000 are kept"));
  CHECK(says(pool_with(R"("unlimited": true, "growth": {"gpus": 1, "every": "1d"})"),
             "growth: is allowed only with \"hosts\", \"machines\" or \"gpus\": a fixed number"));
  CHECK(says(pool_with(R"("gpus": [{"at": "0s", "gpus": 4}], "growth": {"gpus": 1, "every": "1d"})"),
             "growth: cannot be combined with \"gpus\" that is a list: its steps say how it changes"));
  CHECK(says(pool_with(R"("gpus": 10, "growth": {"every": "1d"})"), "\"hosts\""));
}

TEST_CASE("A profile may stand in the scenario or in a file", "[scenario][markov]") {
  const Scenario inside = load(markov(kProfile));
  CHECK(chain(inside).levels[1].gpus == GpuCount{3});
  CHECK(chain(inside).levels[2].censored);
  const bool is_told = std::ranges::any_of(inside.assumptions, [](const std::string& line) {
    return line.find("Markov chain fitted to a test") != std::string::npos;
  });
  CHECK(is_told);
  const test::ScenarioLoader loader;
  const std::string file = loader.folder().file("p.json", kProfile);
  const Scenario outside = loader.small({{"/pools/0", markov('"' + file + '"')}});
  CHECK(chain(outside).rows == chain(inside).rows);
  CHECK(chain(outside).entity == chain(inside).entity);
}

TEST_CASE("A bad profile is refused with its place", "[scenario][markov]") {
  const auto with = [](std::string from, const std::string& to) {
    std::string text = kProfile;
    REQUIRE(text.find(from) != std::string::npos);
    return markov(text.replace(text.find(from), from.size(), to));
  };
  CHECK(says(with("0.9, 0.1, 0]", "0.9, 0.2, 0]"), "/transitions/0: must sum to 1, but sums to 1.1"));
  CHECK(says(with("[0.9, 0.1, 0], ", ""), "has 2 rows, but there are 3 levels"));
  CHECK(says(with("[0.9, 0.1, 0]", "[0.9, 0.1]"), "has 2 probabilities, but there are 3 levels"));
  CHECK(says(with("[0, 3, 8]", "[0, 3, 3]"), "/machines/2: must be more than the level before"));
  CHECK(says(with("[0, 3, 8]", "[0, 3, 9]"), "/machines/2: is beyond the cap 8"));
  CHECK(says(with("10min", "1s"), "/tick: must be 10s to 1d"));
  CHECK(says(with("0.9", "-0.9"), "must be at least 0"));
  CHECK(says(with("\"cap\"", "\"upward\": [1], \"cap\""), "/upward"));
  CHECK(says(markov(R"("none.json")"), "none.json"));
  CHECK(says(markov(kProfile, R"(, "group": "g")"),
             "\"rho\" is missing, which \"group\" requires: which zones"));
  CHECK(says(markov(kProfile, R"(, "at_cap": 4)"), "means at least 8 machines, but 4 were stated"));
  const test::ScenarioLoader loader;
  const std::string file = loader.folder().file("p.json", R"({"cap": 8, "tock": "10min"})");
  CHECK_THROWS_WITH(loader.small({{"/pools/0", markov('"' + file + '"')}}), Catch::Contains("p.json"));
}

TEST_CASE("A profile of hidden states says what they show, and how the zone was last", "[scenario][markov]") {
  const std::string hidden = R"({"source": "a test", "cap": 8, "tick": "10min", "machines": [0, 3, 8],
    "transitions": [[0.9, 0.1], [0.3, 0.7]], "shows": [[0.8, 0.2, 0], [0, 0.5, 0.5]], "now": [0.2, 0.8]})";
  const Scenario long_run = load(markov(hidden));
  CHECK(chain(long_run).states() == 2);
  CHECK(chain(long_run).levels.size() == 3);
  CHECK(chain(long_run).start[0] == Approx(0.75));
  CHECK(chain(load(markov(hidden, R"(, "start": "now")"))).start[0] == Approx(0.2));
  const auto with = [&](std::string_view from, const std::string& to) {
    std::string text = hidden;
    REQUIRE(text.find(from) != std::string::npos);
    return markov(text.replace(text.find(from), from.size(), to));
  };
  CHECK(says(with("[0, 0.5, 0.5]", "[0.5, 0.5]"), "/shows/1: has 2 probabilities, but there are 3 levels"));
  CHECK(says(with("[0.3, 0.7]", "[0.3, 0.6]"), "/transitions/1: must sum to 1"));
  CHECK(says(with("[0.9, 0.1], ", ""), "has 1 rows, but there are 2 states that show levels"));
  CHECK(says(with("[0.2, 0.8]", "[1]"), "/now: has 1 probabilities, but there are 2 states"));
  CHECK(says(markov(kProfile, R"(, "start": "now")"), "/start: requires a profile with \"now\""));
  CHECK(says(markov(kProfile, R"(, "start": "then")"), "/start"));
}

TEST_CASE("Zones of a group must have one tick", "[scenario][markov]") {
  const std::string slow = std::string{kProfile}.replace(kProfile.find("10min"), 5, "20min");
  const std::string in_group = R"(, "group": "g", "rho": 0.5)";
  std::string second = markov(slow, in_group);
  second.replace(second.find("\"zone\""), 6, "\"other\"");
  CHECK_THROWS_WITH(load(markov(kProfile, in_group), {{"/pools/-", second}}),
                    Catch::Contains("the zones of a group must have one tick"));
}

TEST_CASE("Tenants do not fit a chain that was measured beside them", "[scenario][markov]") {
  CHECK_THROWS_WITH(load(markov(kProfile), {{"/pools/0/tenants", R"({"load": 0.5})"}}),
                    Catch::Contains("what other tenants have left already"));
}

TEST_CASE("A zone's capacity is the same under every strategy and beside any other zone",
          "[scenario][markov]") {
  const std::vector<Override> two{{"/window", "3d"},
                                  {"/workload/0/work", "5h"},
                                  {"/workload/0/schedule", R"({"every": "1h"})"},
                                  {"/strategies/-", R"({"name": "second", "legs": [{"model": "spot"}]})"}};
  const auto capacity_ms = [](const Scenario& scenario, std::size_t strategy, std::size_t pool) {
    const RunRecord record = simulate(scenario.world, strategy, 0, {});
    CHECK(record.drew);
    return record.pools[pool].capacity.count();
  };
  std::vector<Override> ended = two;
  ended.push_back({"/end", "window"});
  const Scenario alone = load(markov(kProfile), ended);
  const auto area = capacity_ms(alone, 0, 0);
  CHECK(area > 0);
  CHECK(area == capacity_ms(alone, 1, 0));
  std::string first = markov(kProfile);
  first.replace(first.find("\"zone\""), 6, "\"new\"");
  ended.insert(ended.begin(), Override{"/pools/-", markov(kProfile)});
  const Scenario beside = load(first, ended);  // the old zone is now the second pool
  CHECK(area == capacity_ms(beside, 0, 1));
  CHECK(area != capacity_ms(beside, 0, 0));
}
