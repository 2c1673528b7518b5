// Files of worlds: what is written is read again, and few stand for many.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/calibration/world_set.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

WorldSet some_worlds(const std::vector<double>& weights) {
  WorldSet set{.version = "1",
               .scenario = "small",
               .observed = "waits.csv",
               .strategy = "first",
               .runs = 400,
               .unlike = 0.04,
               .unknown = {{.name = "GPUs",
                            .prior = "4 to 8",
                            .median = "6",
                            .low = "5",
                            .high = "7",
                            .provenance = "fitted",
                            .places = {{.pointer = "/pools/0/gpus", .in = "pool \"zone\""}}}},
               .typical = 1,
               .worlds = {}};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    set.worlds.push_back({.name = "world " + std::to_string(i + 1),
                          .weight = weights[i],
                          .changes = {{.pointer = "/pools/0/gpus",
                                       .value = JsonValue{static_cast<std::int64_t>(i + 4)},
                                       .said_in = ""}}});
  }
  return set;
}

std::string with(const std::string& text, const std::string& from, const std::string& to) {
  std::string changed = text;
  changed.replace(changed.find(from), from.size(), to);
  return changed;
}

std::string error_of(const std::string& text) {
  return error_in([&] { static_cast<void>(parse_world_set(text, "w.json")); });
}

}  // namespace

TEST_CASE("A world says one thing of each unknown, and nothing else", "[calibration]") {
  const auto error_of_places = [](const WorldSet& set, const std::vector<Unknown>& unknown) {
    return error_in([&] { check_places(set, unknown, "w.json"); });
  };
  Unknown gpus;
  gpus.name = "GPUs";
  gpus.range = UnknownRange{.pointers = {"/pools/0/gpus"}, .from = 1, .to = 9, .step = 1, .unit_name = {}};
  Unknown order;
  order.name = "order";
  order.choices = {
      {.text = "a", .weight = 1, .changes = {{.pointer = "/pools/0/a", .value = {}, .said_in = ""}}},
      {.text = "b", .weight = 1, .changes = {{.pointer = "/pools/0/b", .value = {}, .said_in = ""}}}};
  WorldSet set = some_worlds({0.5, 0.5});
  check_places(set, {gpus}, "w.json");
  check_places(set, {}, "w.json");
  CHECK_THAT(error_of_places(set, {gpus, order}),
             Contains("/worlds/0/set: lacks /pools/0/a, which unknown \"order\" leaves open"));
  for (CalibratedWorld& world : set.worlds)
    world.changes.push_back({.pointer = "/pools/0/b", .value = {}, .said_in = ""});
  check_places(set, {gpus, order}, "w.json");
  CHECK_THAT(error_of_places(set, {gpus}),
             Contains("changes /pools/0/b, which the scenario does not leave open"));
  set.worlds[1].changes.clear();
  CHECK_THAT(error_of_places(set, {gpus, order}), Contains("w.json: /worlds/1/set: lacks /pools/0/gpus"));
  CHECK_THAT(error_of_places(set, {}), Contains("/worlds/1/set: must change the same places"));
}

TEST_CASE("A file of worlds is read as it was written", "[calibration]") {
  const std::string text = write_world_set(some_worlds({0.25, 0.5, 0.25}));
  const WorldSet read = parse_world_set(text, "w.json");
  CHECK(read.scenario == "small");
  CHECK(read.unlike == 0.04);
  CHECK(agreement_text(read) == "agree with waits.csv");
  CHECK(read.typical == 1);
  CHECK(read.unknown[0].prior == "4 to 8");
  CHECK(read.unknown[0].places[0].in == "pool \"zone\"");
  REQUIRE(read.worlds.size() == 3);
  CHECK(read.worlds[2].weight == 0.25);
  CHECK(*read.worlds[2].changes[0].value.get<std::int64_t>() == 6);
  CHECK(write_world_set(read) == text);
}

TEST_CASE("What is no file of worlds is an error at its place", "[calibration]") {
  const std::string text = write_world_set(some_worlds({0.5, 0.5}));
  CHECK_THAT(error_of("{}"), Contains("w.json"));
  CHECK_THAT(error_of(with(text, "0.5", "0")), Contains("/worlds/0/weight"));
  CHECK_THAT(error_of(with(text, "\"world 2\",\n   \"weight\"", "\"world 1\",\n   \"weight\"")),
             Contains("is there twice"));
  CHECK_THAT(error_of(with(text, "\"typical\": \"world 2\"", "\"typical\": \"world 9\"")),
             Contains("/typical") && Contains("is the name of no world"));
  CHECK_THAT(error_of(with(text, "/pools/0/gpus\": 4", "/workload/0/demand\": 4")),
             Contains("a world changes nothing at \"/workload/0/demand\""));
  CHECK_THAT(error_of(with(text, "stockout worlds 2", "stockout worlds 9")), Contains("/layout"));
}

TEST_CASE("Few worlds stand for many by their weight", "[calibration]") {
  const WorldSet set = some_worlds({1, 1, 6, 1, 1});
  const auto few = set.representative(5);
  double weight = 0;
  for (const CalibratedWorld& world : few) weight += world.weight;
  CHECK(weight == Approx(1));
  const auto heavy = std::ranges::find(few, "world 3", &CalibratedWorld::name);
  REQUIRE(heavy != few.end());
  CHECK(heavy->weight == Approx(0.6));
  CHECK(set.representative(1).size() == 1);
  CHECK(set.representative(1'000).size() == 5);
}
