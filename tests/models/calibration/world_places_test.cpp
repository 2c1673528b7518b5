// Worlds are of the scenario that they were calibrated for: by its name, and by what stands at their places.

#include <catch2/catch.hpp>

#include "models/calibration/world_places.h"
#include "sim/io/json_reader.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

constexpr const char* kTwoZones = R"({"name": "zones", "tenants": {"daily_swing": 0.3},
 "pools": [{"family": "a3-highgpu", "place": "us-central1-a", "hosts": 24, "tenants": {"load": 1}},
           {"family": "a3-highgpu", "place": "us-east4-b", "hosts": 24, "tenants": {"load": 1}}],
 "strategies": [{"name": "flex", "legs": [{"model": "flex_start", "place": "us-east4-b"}]}]})";

constexpr const char* kSwapped = R"({"name": "zones", "tenants": {"daily_swing": 0.3},
 "pools": [{"family": "a3-highgpu", "place": "us-east4-b", "hosts": 24, "tenants": {"load": 1}},
           {"family": "a3-highgpu", "place": "us-central1-a", "hosts": 24, "tenants": {"load": 1}}]})";

JsonValue zones(const std::string& text = kTwoZones) { return parse_json(text, "s.json"); }

PlacedValue placed_at(const std::string& pointer) { return {.pointer = pointer, .value = {}, .said_in = ""}; }

Unknown load_of_both() {
  Unknown load;
  load.name = "load";
  load.range = UnknownRange{.pointers = {"/pools/0/tenants/load", "/pools/1/tenants/load"},
                            .from = 0.5,
                            .to = 1.5,
                            .step = {},
                            .unit_name = {}};
  return load;
}

Unknown order() {
  Unknown order;
  order.name = "order";
  order.choices = {{.text = "a", .weight = 1, .changes = {placed_at("/pools/1/flex_before_on_demand")}},
                   {.text = "b", .weight = 1, .changes = {placed_at("/pools/1/flex_before_on_demand")}}};
  return order;
}

WorldSet worlds_of_zones() {
  WorldSet set;
  set.scenario = "zones";
  set.unknown.resize(2);
  name_places(set, {load_of_both(), order()}, zones());
  set.worlds = {{.name = "world 1",
                 .weight = 1,
                 .changes = {placed_at("/pools/0/tenants/load"), placed_at("/pools/1/tenants/load"),
                             placed_at("/pools/1/flex_before_on_demand")}}};
  return set;
}

std::string refusal_of(const WorldSet& set, const JsonValue& scenario) {
  return error_in([&] { check_same_scenario(set, scenario, {.worlds = "w.json", .scenario = "s.json"}); });
}

}  // namespace

TEST_CASE("A place is called by the names on its way", "[calibration]") {
  CHECK(named_at(zones(), "/pools/0/tenants/load") == "pool \"a3-highgpu us-central1-a\"");
  CHECK(named_at(zones(), "/strategies/0/legs/0/max_wait") ==
        "strategy \"flex\", leg \"flex_start us-east4-b\"");
  CHECK(named_at(zones(), "/tenants/daily_swing").empty());
  CHECK(named_at(zones(), "/pools/2/hosts").empty());
  CHECK(named_at(parse_json(R"({"a/b": [{"name": "x~"}]})", "s.json"), "/a~1b/0/c") == "a/b \"x~\"");
}

TEST_CASE("Worlds note each place of an unknown once, with what it points into", "[calibration]") {
  const WorldSet set = worlds_of_zones();
  REQUIRE(set.unknown[0].places.size() == 2);
  CHECK(set.unknown[0].places[1].pointer == "/pools/1/tenants/load");
  CHECK(set.unknown[0].places[1].in == "pool \"a3-highgpu us-east4-b\"");
  REQUIRE(set.unknown[1].places.size() == 1);
}

TEST_CASE("Worlds of another scenario are refused, with the cure", "[calibration]") {
  const WorldSet set = worlds_of_zones();
  CHECK(refusal_of(set, zones()).empty());
  CHECK(
      refusal_of(set, zones(kSwapped)) ==
      "w.json: /unknown/0/places/0: the worlds were calibrated for pool \"a3-highgpu us-central1-a\" at "
      "/pools/0/tenants/load, but in s.json there is pool \"a3-highgpu us-east4-b\": put that back where it "
      "was, or calibrate again");
  CHECK_THAT(
      refusal_of(set, parse_json(R"({"name": "other"})", "s.json")),
      Contains("w.json: /scenario: are worlds of \"zones\", but s.json is \"other\": calibrate this one"));
  CHECK_THAT(refusal_of(set, parse_json(R"({"name": "zones", "pools": []})", "s.json")),
             Contains("the worlds change /pools/0/tenants/load, and s.json has no such place"));
  CHECK_THAT(
      refusal_of(set, parse_json(R"({"name": "zones", "pools": [{"tenants": {}}, {"name": 1}]})", "s.json")),
      Contains("there is nothing with a name"));
  WorldSet more = set;
  more.worlds[0].changes.push_back(placed_at("/quota/0/limit"));
  CHECK_THAT(
      refusal_of(more, zones()),
      Contains("w.json: /worlds/0/set: changes /quota/0/limit, which is in no \"places\" of /unknown"));
}
