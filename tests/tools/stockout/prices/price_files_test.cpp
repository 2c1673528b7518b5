// Files of the planner's own prices, with every command for which prices matter.

#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/made_up/sweep_folder.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

const std::string kHalf = R"([{"factor": 0.5, "factor_of": "above", "label": "half"}])";

double cost_of_points(const SweepFolder& folder, const std::string& store) {
  SQLite::Database database{folder.path(store)};
  SQLite::Statement query{database, "SELECT sum(cost_usd) FROM results"};
  REQUIRE(query.executeStep());
  return query.getColumn(0).getDouble();
}

}  // namespace

TEST_CASE("Every command for which prices matter takes files of them", "[prices]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("s.json", kSmallScenario);
  const std::string missing = folder.path("offer.json");
  const std::vector<std::vector<std::string>> commands{
      {"compare", scenario},
      {"run", scenario, "--strategy", "first"},
      {"check", scenario, "--baseline", folder.path("b.json"), "--update"},
      {"validate", scenario},
      {"catalog", "cheapest", scenario},
      {"trace", "synth", scenario, "--out", folder.path("t.csv")},
      {"sweep", scenario, "--store", folder.path("s.sqlite")}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.end(), {"--prices", missing});
    CAPTURE(command);
    const Answer answer = stockout_says(command);
    CHECK(answer.code == ExitCode::bad_input);
    CHECK_THAT(answer.err, Contains("offer.json"));
  }
}

TEST_CASE("Several files come one on top of another, in a comparison and for recorded runs", "[prices]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("s.json", kSmallScenario);
  const std::string half = folder.file("half.json", kHalf);
  const std::string record = folder.path("runs.sqlite");
  const auto cost = [](std::vector<std::string> arguments, const char* of) {
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto strategy = nlohmann::json::parse(stockout_says(arguments).out)["strategies"][0];
    return strategy[of]["cost_usd"]["mean"].get<double>();
  };
  const double whole = cost({"compare", scenario, "--record", record}, "total");
  CHECK(whole == Approx(2 * 61.0 / 60 * 10));
  CHECK(cost({"compare", scenario, "--prices", half, "--prices", half}, "total") == Approx(whole / 4));
  CHECK(cost({"price", record, "--prices", half}, "costs") == Approx(whole / 2));
  CHECK(cost({"price", record, "--prices", half, "--prices", half}, "costs") == Approx(whole / 4));
}

TEST_CASE("A sweep has the prices of files at every point, and goes on with the same ones only", "[prices]") {
  const SweepFolder folder;
  folder.write("half.json", kHalf);
  const std::vector<std::string> prices{"--prices", folder.path("half.json")};
  REQUIRE(folder.sweep("list.sqlite").code == ExitCode::done);
  REQUIRE(folder.sweep("half.sqlite", prices).code == ExitCode::done);
  CHECK(cost_of_points(folder, "half.sqlite") == Approx(cost_of_points(folder, "list.sqlite") / 2));

  const Answer without = folder.sweep("half.sqlite", {"--resume"});
  CHECK(without.code == ExitCode::bad_input);
  CHECK_THAT(without.err, Contains("was begun with something else: the files of --prices"));
  CHECK(folder.sweep("half.sqlite", {"--resume", prices[0], prices[1]}).code == ExitCode::done);
  const auto merge = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"sweep",
                                       "merge",
                                       folder.path("all.sqlite"),
                                       folder.path("half.sqlite"),
                                       "--sweep",
                                       folder.path("sweep.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments).code;
  };
  CHECK(merge({}) == ExitCode::bad_input);
  CHECK(merge(prices) == ExitCode::done);
}
