// `alternatives` of a scenario: what they may change, and what is said of those that may not.

#include <catch2/catch.hpp>

#include "models/scenario/load/alternatives.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;

namespace {

std::string with_alternatives(const std::string& alternatives, std::string text = kSmallScenario) {
  const std::string before = " \"workload\":";
  return text.insert(text.find(before), " \"alternatives\": " + alternatives + ",\n");
}

std::string one(const std::string& set) {
  return R"([{"rule": "r", "choices": [{"name": "other", "set": )" + set + "}]}]";
}

// The scenario under its first alternative.
Scenario under_first(const ScenarioLoader& loader, const std::string& text) {
  const Scenario written = loader.load(text);
  const std::string path = loader.folder().path("s.json");
  return load_alternative(written, written.alternatives.at(0), [&](const std::vector<PlacedValue>& placed) {
    return load_scenario(
        path, {.overrides = {}, .catalog_dir = {}, .seed = {}, .replications = {}, .placed = placed});
  });
}

std::string error_under_first(const std::string& text) {
  const ScenarioLoader loader;
  std::string error = error_in([&] { (void)under_first(loader, text); });
  const std::string prefix = loader.folder().path();
  for (std::size_t at = error.find(prefix); at != std::string::npos; at = error.find(prefix))
    error.erase(at, prefix.size());
  return error;
}

}  // namespace

TEST_CASE("An alternative puts its values into the scenario and leaves it as written", "[scenario]") {
  const ScenarioLoader loader;
  const std::string text = with_alternatives(one(R"({"/pools/0/gpus": 4, "/pools/0/discipline": "fifo"})"));
  const Scenario written = loader.load(text);
  REQUIRE(written.alternatives.size() == 1);
  CHECK(written.alternatives[0].rule == "r");
  CHECK(written.alternatives[0].name == "other");
  CHECK(written.world.pools[0].discipline == Discipline::first_fit);
  const Scenario other = under_first(loader, text);
  CHECK(other.world.pools[0].discipline == Discipline::fifo);
  CHECK(other.world.strategies[0].name == "first");
}

TEST_CASE("Alternatives that would not stand beside the scenario are errors when it is read", "[scenario]") {
  const auto [alternatives, message] = GENERATE(table<std::string, std::string>({
      {one(R"({"/workload/0/work": "2h"})"),
       "s.json:7: /alternatives/0/choices/0/set/~1workload~10~1work: an alternative changes nothing at"},
      {one(R"({"/seed": 2})"), "changes nothing at \"/seed\""},
      {one(R"({"/goal/at_most": "2h"})"), "changes nothing at"},
      {one(R"({"/alternatives/0/rule": "x"})"), "changes nothing at"},
      {one(R"({"": {}})"), "changes nothing at"},
      {one(R"({"pools": []})"), "changes nothing at"},
      {one(R"({"/pool/0/gpus": 1})"), "changes nothing at"},
      {one("{}"), "/alternatives/0/choices/0/set: changes nothing"},
      {one("[]"), "must be an object"},
      {R"([{"rule": "r", "choices": []}])", "must have 1 to 20 items"},
      {R"([{"rule": "r"}])", "\"choices\" is missing"},
      {R"([{"rule": "r", "choice": []}])", "did you mean \"choices\"?"},
      {R"([{"rule": "", "choices": [{"name": "n", "set": {"/pools/0/gpus": 1}}]}])",
       "/alternatives/0/rule: must not be empty"},
      {R"([{"rule": "r", "choices": [{"name": "n", "set": {"/pools/0/gpus": 1}}, {"name": "n", "set": {"/pools/0/gpus": 1}}]}])",
       "/alternatives/0/choices/1/name: is there twice"},
      {R"([{"rule": "r", "choices": [{"name": "n", "set": {"/pools/0/gpus": 1}, "alternatives": []}]}])",
       "there is no key \"alternatives\""},
  }));
  CAPTURE(alternatives);
  const ScenarioLoader loader;
  const std::string text = with_alternatives(alternatives);
  CHECK_THAT(error_in([&] { (void)loader.load(text); }), Catch::Contains(message));
}

TEST_CASE(
    "An alternative that makes no scenario is reported with its name, where it stands and what is wrong",
    "[scenario]") {
  const auto [set, message] = GENERATE(table<std::string, std::string>({
      {R"({"/pools/7/gpus": 4})", "s.json:7: alternative \"other\": /pools/7/gpus: there is no item \"7\""},
      {R"({"/pools/0/gpus": -4})",
       "s.json:7: alternative \"other\": /pools/0/gpus: must be at least 0, but is -4"},
      {R"({"/pools/0/disciplin": "fifo"})", "there is no key \"disciplin\", did you mean \"discipline\"?"},
      {R"({"/pools/0/discipline": "fif"})", "did you mean \"fifo\"?"},
      {R"({"/reservations/0/name": "held", "/strategies/0/legs/0": {"model": "reservation", "reservation": "x"}})",
       "alternative \"other\""},
      {R"({"/pools": []})", "alternative \"other\": /pools: must have 1 to"},
      {R"({"/strategies/0/name": "second"})",
       "s.json: alternative \"other\" cannot be shown beside the scenario: it changes which strategies there "
       "are"},
      {R"({"/strategies/-": {"name": "second", "legs": [{"model": "spot"}]}})",
       "it changes which strategies there are"},
  }));
  CAPTURE(set);
  CHECK_THAT(error_under_first(with_alternatives(one(set))), Catch::Contains(message));
}

TEST_CASE("An alternative whose pools would split the jobs of a trace otherwise is refused", "[scenario]") {
  const ScenarioLoader loader;
  const std::string trace = loader.folder().file("jobs.csv", "submit,duration,gpus\n0,3600,16\n");
  std::string text = with_alternatives(one(R"({"/pools/0/family": "generic", "/pools/0/place": "generic"})"));
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace(R"("schedule": {"at": "12:00"}, "machine": "generic", "work": "1h")",
          R"("trace": {"file": "jobs.csv", "format": "csv"})");
  replace(R"("family": "generic", "place": "generic", "gpus": 8)",
          R"("family": "a3-highgpu", "place": "us-central1-a", "gpus": 64)");
  replace(R"({"name": "held", "machine": "generic", "place": "generic", "count": 2})", "");
  CHECK_THAT(error_in([&] { (void)under_first(loader, text); }), Catch::Contains("it changes the jobs"));
}
