#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/scenario/scenario.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;

namespace {

// All errors of the small scenario with these values in it.
std::vector<std::string> errors_of(const std::vector<Override>& changes) {
  const test::ScratchFolder folder;
  const std::string file = folder.file("s.json", test::kSmallScenario);
  try {
    static_cast<void>(
        load_scenario(file, {.overrides = changes, .catalog_dir = {}, .seed = {}, .replications = {}}));
  } catch (const InputError& error) {
    std::vector<std::string> all{error.what()};
    all.insert(all.end(), error.others().begin(), error.others().end());
    return all;
  }
  return {};
}

}  // namespace

TEST_CASE("All errors are reported at once", "[scenario]") {
  const auto values = errors_of({{"/window", "30"},
                                 {"/pools/0/gpus", "-8"},
                                 {"/pools/0/speed", "1"},
                                 {"/goal", R"({"wait_p": 95})"},
                                 {"/workload/0/work", "\"1 x\""}});
  REQUIRE(values.size() == 5);
  CHECK_THAT(values[0], Catch::Contains("/window: needs a unit"));
  CHECK_THAT(values.back(), Catch::Contains("/goal: \"at_most\" is missing"));
  const auto names = errors_of({{"/pools/0/place", "\"nowhere\""}, {"/workload/0/machine", "\"H100\""}});
  REQUIRE(names.size() == 2);
  CHECK_THAT(names[0], Catch::Contains("/pools/0/place"));
  CHECK_THAT(names[1], Catch::Contains("/workload/0/machine"));
  const auto strategies = errors_of({{"/strategies/0/legs/0/model", "\"dws\""},
                                     {"/strategies/-", R"({"name": "a", "legs": [{"model": "sopt"}]})"}});
  CHECK(strategies.size() == 2);
  const auto parts = errors_of({{"/reservations/0/place", "\"nowhere\""},
                                {"/goal", R"({"at_most": "1h", "class": "nobody"})"},
                                {"/decide", R"([{"name": "x", "at": "/seed", "values": [1]}])"}});
  REQUIRE(parts.size() == 3);  // nothing of the strategies, which name the reservation
  CHECK_THAT(parts[1], Catch::Contains("/goal/class: there is no job class \"nobody\""));
  std::string many = "[";
  for (int i = 0; i < 100; ++i) many += std::string{i == 0 ? "" : ","} + "7";
  const auto of_cloud = errors_of({{"/workload/0", R"({"name": "a", "schedule": {"at": "12:00"}, "work": "1h",
      "gpus": 8, "gpu": "nvidia-h100-80gb"})"}});
  REQUIRE(of_cloud.size() == 1);
  CHECK_THAT(of_cloud[0],
             Catch::Contains("there is no GPU type \"nvidia-h100-80gb\" here: write \"H100-80GB\""));
  const auto most = errors_of({{"/assumptions", many + "]"}});
  REQUIRE(most.size() == 21);
  CHECK_THAT(most.back(), Catch::Contains("there may be more errors"));
}

TEST_CASE("Names that do not exist are reported beside values that are malformed", "[scenario]") {
  const auto both = errors_of({{"/replications", "\"ten\""},
                               {"/seeds", "7"},
                               {"/pools/0/place", "\"nowhere\""},
                               {"/workload/0/machine", "\"H100\""}});
  REQUIRE(both.size() == 4);
  CHECK_THAT(both[0], Catch::Contains("/replications: must be a whole number"));
  CHECK_THAT(both[1], Catch::Contains("/seeds: there is no key \"seeds\", did you mean \"seed\"?"));
  CHECK_THAT(both[2], Catch::Contains("/pools/0/place: "));
  CHECK_THAT(both[3], Catch::Contains("/workload/0/machine: "));
}

TEST_CASE("An error that would follow from a malformed value is not reported", "[scenario]") {
  SECTION("The pool of a reservation") {
    const auto pool = errors_of({{"/pools/0/gpus", "-8"}});
    REQUIRE(pool.size() == 1);
    CHECK_THAT(pool[0], Catch::Contains("/pools/0/gpus: must be at least"));
  }
  SECTION("The name of a list that is misspelled") {
    const auto list = errors_of({{"/pools", "[]"}, {"/poools", "[]"}});
    CHECK(list.size() <= 2);
    CHECK_THAT(list[0], Catch::Contains("pools"));
  }
  SECTION("One of two keys that exclude one another") {
    const auto group = errors_of({{"/workload/0/poisson", R"({"per_day": 3})"}});
    REQUIRE(group.size() == 1);
    CHECK_THAT(group[0], Catch::Contains("/workload/0: ") && Catch::Contains("cannot go together"));
  }
}

TEST_CASE("Keys that are missing are reported beside one that nobody knows", "[scenario]") {
  const auto both = errors_of({{"/workload/0", R"({"name": "jobs", "nobody": {}, "machine": "generic"})"}});
  REQUIRE(both.size() == 2);
  CHECK_THAT(both[0], Catch::Contains("/workload/0/nobody: there is no key \"nobody\""));
  CHECK_THAT(both[1], Catch::Contains("/workload/0: one of \"trace\", \"poisson\""));
}

TEST_CASE("A key that is missing may be the one that is misspelled", "[scenario]") {
  const auto one =
      errors_of({{"/workload/0", R"({"name": "jobs", "schedul": {"at": "12:00"}, "machine": "generic",
      "work": "1h"})"}});
  REQUIRE(one.size() == 1);
  CHECK_THAT(one[0], Catch::Contains("did you mean \"schedule\"?"));
}

TEST_CASE("A strategy without its legs is reported, and nothing is built of it", "[scenario]") {
  const auto legs = errors_of({{"/strategies/0", R"({"name": "s", "nobody": 3})"}});
  REQUIRE(legs.size() == 2);
  CHECK_THAT(legs[0], Catch::Contains("/strategies/0/nobody: there is no key"));
  CHECK_THAT(legs[1], Catch::Contains("/strategies/0: \"legs\" is missing"));
}

TEST_CASE("A note under a key that nobody knows stands for no other key", "[scenario]") {
  const auto both = errors_of({{"/note", "\"hello\""}, {"/workload/0/machine", "\"H100\""}});
  REQUIRE(both.size() == 2);
  CHECK_THAT(both[0], Catch::Contains("/note: there is no key \"note\""));
  CHECK_THAT(both[1], Catch::Contains("/workload/0/machine: "));
}

TEST_CASE("A wrong model is reported once, whoever else would ask for it", "[scenario]") {
  CHECK(errors_of({{"/models", R"({"allx": {}})"}}).size() == 1);
  CHECK(errors_of({{"/models", R"({"spot": {"retries": 3, "retry_interval": "0s"}})"}}).size() == 1);
}

TEST_CASE("A mistake in one item of a list hides no relation of another", "[scenario]") {
  const auto both = errors_of({{"/strategies/-", R"({"name": "b", "nme": 1, "legs": [{"model": "spot"}]})"},
                               {"/strategies/0/legs/0/limit", "\"1h\""},
                               {"/strategies/0/quota", "{}"}});
  REQUIRE(both.size() == 3);
  CHECK_THAT(both[0], Catch::Contains("/strategies/0/legs/0/limit: "));
  CHECK_THAT(both[1], Catch::Contains("/strategies/1/nme: "));
  CHECK_THAT(both[2], Catch::Contains("/strategies/0/quota: is allowed only with \"quota\""));
}
