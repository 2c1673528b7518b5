// Bathtub laws and files of lengths, from the scenario to the law.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tests/support/shared_data.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

const std::string kLives =
    "vm,hours,how,zone\n"
    "a,1,preempted,x\n"
    "b,2,stop,x\n"
    "c,3,preempted,y\n"
    "d,5,stop,y\n";

Scenario with_lifetime(const std::string& law, const test::ScenarioLoader& loader = {}) {
  return loader.small({{"/models/spot", R"({"lifetime": )" + law + "}"},
                       {"/strategies/0/legs/0/model", "spot"},
                       {"/workload/0/work", "6h"}});
}

std::string error_with(const std::string& text, const std::string& keys) {
  const test::ScenarioLoader loader;
  const std::string file = loader.folder().file("lives.csv", text);
  return test::error_in([&] {
    static_cast<void>(with_lifetime(R"({"from_file": {"file": ")" + file + R"(", )" + keys + "}}", loader));
  });
}

const Law& lifetime(const Scenario& scenario) { return scenario.world.strategies[0].legs[0].policy.lifetime; }

}  // namespace

TEST_CASE("A bathtub lifetime is read with its cap", "[scenario][lengths]") {
  const Scenario scenario = with_lifetime(
      R"({"bathtub": {"share": 0.45, "early": "1h", "late": "48min", "at": "24h"}, "most": "24h"})");
  CHECK(lifetime(scenario).kind == Law::Kind::bathtub);
  CHECK(lifetime(scenario).sigma == 0.45);
  CHECK(lifetime(scenario).late == 24h);
  CHECK(lifetime(scenario).most == 24h);
  CHECK(simulate(scenario.world, 0, 0, {}).drew);
}

TEST_CASE("Files that laws name are inputs, each once: nothing is written over them", "[scenario][lengths]") {
  const test::ScenarioLoader loader;
  const std::string lives = loader.folder().file("lives.csv", kLives);
  const std::string works = loader.folder().file("works.txt", "1h\n2h\n");
  const std::string law = R"({"empirical": {"file": ")" + works + R"("}})";
  const Scenario scenario = loader.small(
      {{"/models/spot", R"({"lifetime": {"from_file": {"file": ")" + lives +
                            R"(", "length": "hours", "unit": "h", "ended": "how", "as": "preempted"}}})"},
       {"/models/all/start_up", law},
       {"/strategies/0/legs/0/model", "spot"},
       {"/workload/0/work", law}});
  CHECK(std::ranges::count(scenario.inputs, lives) == 1);
  CHECK(std::ranges::count(scenario.inputs, works) == 1);
}

TEST_CASE("Lifetimes come from a file, with those not seen to their end", "[scenario][lengths]") {
  const test::ScenarioLoader loader;
  const std::string file = loader.folder().file("lives.csv", kLives);
  const Scenario scenario =
      with_lifetime(R"({"from_file": {"file": ")" + file +
                        R"(", "length": "hours", "unit": "h", "ended": "how", "as": "preempted"}})",
                    loader);
  const Law& law = lifetime(scenario);
  REQUIRE(law.curve != nullptr);
  CHECK(law.curve->age(0.2) == 1h);
  CHECK(law.curve->age(0.3) == 3h);  // of four one ended at 1 h; of the two left at 3 h one: 1 - 3/4 x 1/2
  CHECK(law.curve->survivors() == Approx(0.375));
}

TEST_CASE("A bad file of lengths is named with its line", "[scenario][lengths]") {
  using Catch::Matchers::Contains;
  CHECK_THAT(error_with(kLives, R"("length": "hour")"),
             Contains("there is no column \"hour\", did you mean \"hours\"?"));
  CHECK_THAT(error_with(kLives, R"("length": "how")"), Contains("lives.csv:2: a length must be a number"));
  CHECK_THAT(error_with("h\n-1\n", R"("length": "h")"), Contains("but is \"-1\""));
  CHECK_THAT(error_with("h\nnan\n", R"("length": "h")"), Contains("but is \"nan\""));
  CHECK_THAT(error_with("h\n1e30\n", R"("length": "h")"), Contains("but is \"1e30\""));
  CHECK_THAT(error_with("h\n", R"("length": "h")"), Contains("has no lengths"));
  CHECK_THAT(error_with("", R"("length": "h")"), Contains("lives.csv"));
  CHECK_THAT(error_with(kLives, R"("length": "hours", "ended": "how")"),
             Contains("\"as\" is missing, which \"ended\" requires"));
  CHECK_THAT(error_with(kLives, R"("length": "hours", "ended": "how", "as": "gone")"),
             Contains("ended as \"gone\""));
  CHECK_THAT(error_with(kLives, R"("length": "hours", "unit": "ms")"),
             Contains("at least 1min on the average"));
}

TEST_CASE("Work that was not seen to its end must be cut somewhere", "[scenario][lengths]") {
  const test::ScenarioLoader loader;
  const std::string file = loader.folder().file("lives.csv", kLives);
  const std::string law = R"({"from_file": {"file": ")" + file +
                          R"(", "length": "hours", "unit": "h", "ended": "how", "as": "preempted"})";
  CHECK_THROWS_WITH(loader.small({{"/workload/0/work", law + "}"}}), Catch::Contains("say with \"most\""));
  CHECK_NOTHROW(loader.small({{"/workload/0/work", law + R"(, "most": "5h"})"}}));
}

TEST_CASE("The lives of preemptible machines of 2019 can be drawn", "[scenario][lengths]") {
  const auto file = test::shared_path("traces/spot/gcp-preemptible-2019/lifetimes_dev_zones.csv");
  if (!file) return;
  const Scenario scenario =
      with_lifetime(R"({"from_file": {"file": ")" + *file +
                    R"(", "length": "lifetime_s", "ended": "end_event", "as": "preempted"}})");
  const SurvivalCurve& curve = *lifetime(scenario).curve;
  CHECK(curve.age(0.25) < 3h);  // many go early ...
  CHECK(curve.age(0.9) > 20h);  // ... and the rest near the cap of 24 h
}
