// What can never happen is said, with its place in the file: classes, gangs, pools, commitments.

#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;

namespace {

std::vector<std::string> warnings_of(std::vector<Override> changes) {
  return test::ScenarioLoader{}.small(std::move(changes)).warnings;
}

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::ranges::find(lines, line) != lines.end();
}

bool mentions(const std::vector<std::string>& lines, const std::string& part) {
  return std::ranges::any_of(lines,
                             [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

const std::string kReserved =
    R"({"name": "held only", "legs": [{"model": "reservation", "reservation": "held"}]})";
const std::string kBoth =
    R"({"name": "held first", "legs": [{"model": "reservation", "reservation": "held"}, {"model": "on_demand"}]})";

}  // namespace

TEST_CASE("A class that no leg could ever serve is said, once for all strategies that lack it",
          "[scenario][never]") {
  const Scenario scenario = test::ScenarioLoader{}.small(
      {{"/workload/0/nodes", "9"}, {"/strategies/-", R"({"name": "second", "legs": [{"model": "spot"}]})"}});
  CHECK(has(scenario.warnings,
            "/strategies/0, /strategies/1: under \"first\", \"second\" no leg could ever serve jobs of class "
            "\"jobs\" (9 x 1 GPU on generic): the largest place has 8 GPUs"));
  CHECK(scenario.warnings.front().starts_with("/strategies/0"));  // before what matters less
  REQUIRE(scenario.impossible.size() == 2);
  CHECK(scenario.impossible[1].strategy == 1);
  CHECK(test::ScenarioLoader{}.small({}).impossible.empty());
}

TEST_CASE("A class that no leg is open to, or whose machines no place has, is said with the reason",
          "[scenario][never]") {
  const std::string two = R"([{"name": "jobs", "schedule": {}, "machine": "generic", "work": "1h"},
      {"name": "others", "schedule": {}, "machine": "generic", "work": "1h"}])";
  CHECK(mentions(
      warnings_of({{"/workload", two}, {"/strategies/0/legs/0/classes", R"(["jobs"])"}}),
      "no leg could ever serve jobs of class \"others\" (1 GPU on generic): no leg is open to the class"));
  const std::string gpu = R"([{"name": "jobs", "schedule": {}, "gpu": "L4", "gpus": 1, "work": "1h"}])";
  CHECK(mentions(warnings_of({{"/workload", gpu}}), "(1 GPU of L4): none of its places has such machines"));
}

TEST_CASE("Of a class with several sizes those are said that fit nowhere", "[scenario][never]") {
  const std::string sizes = R"([{"name": "jobs", "schedule": {}, "machine": "generic", "work": "1h",
      "sizes": [{"nodes": 1, "weight": 1}, {"nodes": 20, "weight": 1}]}])";
  const Scenario scenario = test::ScenarioLoader{}.small({{"/workload", sizes}});
  CHECK(mentions(scenario.warnings,
                 "no leg could ever serve some jobs of class \"jobs\" (20 x 1 GPU on generic)"));
  CHECK(scenario.impossible.empty());
}

TEST_CASE("A gang larger than the reservation it is sent to is said at its leg", "[scenario][never]") {
  const auto warnings = warnings_of({{"/workload/0/nodes", "3"}, {"/strategies/0", kBoth}});
  CHECK(has(
      warnings,
      "/strategies/0/legs/0: under \"held first\" jobs of class \"jobs\" (3 x 1 GPU on generic) are larger "
      "than \"held\" (2 GPUs), where they can never run"));
  CHECK(mentions(warnings, "\"held\" is paid for, and no job can ever use it"));
  CHECK_FALSE(mentions(warnings_of({{"/workload/0/nodes", "2"}, {"/strategies/0", kBoth}}), "larger than"));
}

TEST_CASE("A pool that no job can reach is said", "[scenario][never]") {
  const Override zone{"/pools/-",
                      R"({"name": "far", "family": "g2-standard", "place": "us-central1-a", "hosts": 4})"};
  CHECK(has(warnings_of({zone}), "/pools/1: no job can ever run in \"far\", under any strategy"));
  // What is reserved out of a pool comes from it.
  CHECK_FALSE(mentions(warnings_of({{"/strategies/0", kReserved}}), "no job can ever run"));
}

TEST_CASE("A commitment that pays for nothing is said", "[scenario][never]") {
  const auto committed = [](const std::string& start, const std::string& end) {
    return Override{"/commitments", R"([{"name": "old", "machine": "generic", "region": "generic", "count": 1,
        "usd_per_hour": 4, "start": ")" +
                                        start + R"(", "end": ")" + end + "\"}]"};
  };
  const Override spot{"/strategies/0/legs/0/model", "spot"};
  CHECK(has(
      warnings_of({committed("2026-01-01", "2027-01-01"), spot}),
      "/commitments/0: commitment \"old\" pays for nothing: no strategy can use generic in generic at the "
      "on-demand price"));
  CHECK(mentions(warnings_of({committed("2025-01-01", "2026-01-01")}), "its term lies outside the window"));
  CHECK_FALSE(mentions(warnings_of({committed("2026-01-01", "2027-01-01")}), "pays for nothing"));
}

TEST_CASE("A price of one's own that nothing is bought at is said", "[scenario][never][prices]") {
  const auto priced = [](const std::string& rows) {
    return warnings_of(
        {{"/prices", R"([{"machine": "generic", "model": "on_demand", "usd_per_hour": 4})" + rows + "]"}});
  };
  CHECK_FALSE(mentions(priced(""), "nothing here is bought at"));
  CHECK(has(priced(R"(, {"region": "us-east4", "factor": 0.9, "label": "EDP"})"),
            "nothing here is bought at 1 of your 2 own prices: \"EDP\" in us-east4"));
  CHECK_FALSE(mentions(priced(R"(, {"model": "cud_1y", "use": "existing", "factor": 0.9})"),
                       "nothing here is bought at"));
}

TEST_CASE("A share that looks as if it was meant as a percentage, or the other way round, is said",
          "[scenario][never]") {
  const auto loaded = [](const std::string& load) {
    return warnings_of({{"/pools/0/tenants", R"({"load": )" + load + R"(, "mix": {"on_demand": 1}})"}});
  };
  CHECK(mentions(loaded("95"), "/pools/0/tenants/load: tenants ask for 95 times its GPUs' time"));
  CHECK_FALSE(mentions(loaded("1.2"), "GPUs' time"));
  const auto asked = [](const std::string& share) {
    return warnings_of({{"/goal", R"({"wait_p": )" + share + R"(, "at_most": "1h"})"}});
  };
  CHECK(mentions(asked("1"), ": the goal is about 1 % of the jobs. 95 means 95 %"));
  CHECK_FALSE(mentions(asked("50"), "the goal is about"));
}
