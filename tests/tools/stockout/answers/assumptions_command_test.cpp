// `stockout compare --assumptions` as a user types it.

#include <sstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "models/scenario/load/usual_alternatives.h"
#include "sim/io/json_reader.h"
#include "tests/support/answer.h"
#include "tests/support/made_up/purchase_question.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;

namespace {

// Two strategies of which the price of the hour decides, and an alternative that turns it over.
std::string two_prices() {
  std::string text = kSmallScenario;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace(R"({"machine": "generic", "usd_per_hour": 10})",
          R"({"machine": "generic", "model": "on_demand", "usd_per_hour": 10},
  {"machine": "generic", "model": "spot", "usd_per_hour": 4})");
  replace(
      R"({"name": "first", "legs": [{"model": "on_demand"}]})",
      R"({"name": "sure", "legs": [{"model": "on_demand"}]}, {"name": "spot", "legs": [{"model": "spot"}]})");
  replace(R"("start": "2026-08-03",)",
          R"("start": "2026-08-03",
 "alternatives": [
  {"rule": "price of Spot", "choices": [
    {"name": "half", "set": {"/prices/1/usd_per_hour": 2}}, {"name": "dear", "set": {"/prices/1/usd_per_hour": 40}}]}],)");
  return text;
}

}  // namespace

TEST_CASE("The assumptions band says which alternative changes the winner", "[assumptions]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("s.json", two_prices());
  const Answer plain = stockout_says({"compare", scenario});
  CHECK_THAT(plain.out, Catch::Contains("Cheapest for the same work: \"spot\"") &&
                            !Catch::Contains("and assumptions ("));

  const Answer table = stockout_says({"compare", scenario, "--assumptions"});
  CHECK(table.code == ExitCode::done);
  CHECK_THAT(table.out, Catch::Contains("does not survive what is assumed"));
  CHECK_THAT(table.out, Catch::Contains("noise (±) and assumptions (lowest to highest)"));
  CHECK_THAT(table.out, Catch::Contains("half (price of Spot): the same"));
  CHECK_THAT(table.out, Catch::Contains("dear (price of Spot): Cheapest for the same work: \"sure\""));
  CHECK_THAT(stockout_says({"compare", scenario, "--assumptions", "--format", "markdown"}).out,
             Catch::Contains("- half (price of Spot): the same"));
}

TEST_CASE("An alternative that leaves it undecided is not taken for one that recommends", "[assumptions]") {
  const ScratchFolder folder;
  std::string text = kHowMany;
  const std::string key = R"("goal": )";
  text.insert(text.find(key), R"("alternatives": [{"rule": "load", "choices": [
    {"name": "as much", "set": {"/pools/0/tenants/load": 0.7001}},
    {"name": "little", "set": {"/pools/0/tenants/load": 0.1}}]}],
  )");
  const std::string file = folder.file("s.json", text);
  const auto says = [&](const std::string& format) {
    return stockout_says({"compare", file, "--assumptions", "--replications", "5", "--set",
                          "/reservations/0/count=3", "--format", format})
        .out;
  };
  const std::string table = says("markdown");
  CAPTURE(table);
  CHECK_THAT(table, Catch::Contains("- as much (load): undecided, as it is written") &&
                        Catch::Contains("It stays undecided under the other 1 of 2."));
  CHECK_THAT(table, !Catch::Contains("): the same"));
  const auto json = nlohmann::json::parse(says("json"))["assumption_band"]["alternatives"];
  CHECK(json[0]["outcome"] == "same");
  CHECK(json[0]["verdict"] == "undecided");
  CHECK(json[0]["strategy"].is_null());
  CHECK(json[1]["verdict"] == "cheapest_within_goal");
  CHECK(json[1]["strategy"] == "on-demand");
}

TEST_CASE("The assumptions band for programs has every alternative and every measure", "[assumptions]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("s.json", two_prices());
  const auto json =
      nlohmann::json::parse(stockout_says({"compare", scenario, "--assumptions", "--format", "json"}).out);
  const auto& band = json["assumption_band"];
  REQUIRE(band["alternatives"].size() == 2);
  CHECK(band["alternatives"][0]["outcome"] == "same");
  CHECK(band["alternatives"][1]["outcome"] == "other_winner");
  CHECK(band["alternatives"][1]["strategy"] == "sure");
  const auto& cost = band["strategies"][1]["measures"]["cost_usd"];
  CHECK(cost["lowest"]["alternative"] == "half");
  CHECK(cost["highest"]["alternative"] == "dear");
  CHECK(cost["highest"]["mean"].get<double>() == Approx(20 * cost["lowest"]["mean"].get<double>()));
  CHECK(band["strategies"][0]["measures"]["cost_usd"]["highest"]["alternative"].is_null());
  CHECK(nlohmann::json::parse(stockout_says({"compare", scenario, "--format", "json"}).out)["assumption_band"]
            .is_null());

  const std::string csv = stockout_says({"compare", scenario, "--assumptions", "--format", "csv"}).out;
  CHECK_THAT(csv, Catch::Contains(",fingerprint,rule,alternative\n") && Catch::Contains(",,\n") &&
                      Catch::Contains(",price of Spot,dear\n"));
}

TEST_CASE("A run as written is the same with and without the band, and the same for any number of threads",
          "[assumptions]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("s.json", two_prices());
  const auto json = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"compare", scenario, "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return nlohmann::json::parse(stockout_says(arguments).out);
  };
  const auto with = json({"--assumptions", "--threads", "1"});
  CHECK(with["strategies"] == json({})["strategies"]);
  CHECK(with == json({"--assumptions", "--threads", "2"}));
}

TEST_CASE("A scenario that lists no alternatives has the usual ones", "[assumptions]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("s.json", two_prices());
  const auto names = [&](const std::string& reservations) {
    const Answer answer = stockout_says({"compare", scenario, "--assumptions", "--format", "json", "--set",
                                         "/alternatives=[]", "--set", R"(/pools/0/tenants={"load": 0.4})",
                                         "--set", "/reservations=" + reservations});
    CAPTURE(answer.err);
    REQUIRE(answer.code == ExitCode::done);
    std::vector<std::string> found;
    const auto json = nlohmann::json::parse(answer.out);
    for (const auto& one : json["assumption_band"]["alternatives"]) found.push_back(one["name"]);
    CHECK_THAT(json["assumptions"].dump(), Catch::Contains("the usual ones were tried"));
    return found;
  };
  const std::vector<std::string> loads{"a quarter less load", "a quarter more load"};
  CHECK(names(R"([{"name": "held", "machine": "generic", "place": "generic", "count": 2}])") == loads);
}

TEST_CASE("The usual alternatives are other loads, and other sizes where nothing is held", "[assumptions]") {
  const auto usual = [](const std::string& more) {
    return usual_alternatives(
        parse_json(R"({"pools": [{"hosts": 3, "tenants": {"load": 0.4}}, {"gpus": 8}])" + more + "}",
                   "s.json", kWrittenByHand));
  };
  const std::vector<Alternative> all = usual("");
  REQUIRE(all.size() == 4);
  CHECK(all[0].changes.size() == 1);
  CHECK(all[0].changes[0].pointer == "/pools/0/tenants/load");
  CHECK(*all[1].changes[0].value.get<double>() == Approx(0.5));
  CHECK(all[2].changes[0].pointer == "/pools/0/hosts");
  CHECK(*all[2].changes[0].value.get<std::int64_t>() == 2);  // of 1.5
  CHECK(*all[3].changes[0].value.get<std::int64_t>() == 6);
  CHECK(usual(R"(, "reservations": [{"count": 1}])").size() == 2);
}

TEST_CASE("Rows of alternatives have a field for each column, bounds or not", "[assumptions]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("s.json", two_prices());
  std::istringstream csv{
      stockout_says({"compare", scenario, "--assumptions", "--lower-bound", "--format", "csv"}).out};
  std::string header;
  std::getline(csv, header);
  for (std::string line; std::getline(csv, line);)
    CHECK(std::count(line.begin(), line.end(), ',') == std::count(header.begin(), header.end(), ','));
}

TEST_CASE("Alternatives are held to be sound before anything runs", "[assumptions]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("s.json", two_prices());
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const Answer answer = stockout_says(arguments);
    CHECK(answer.code == ExitCode::bad_input);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.err, Catch::Contains(message));
  };
  const std::string bad = "/alternatives/0/choices/1/set=" + std::string{R"({"/pools/3/gpus": 1})"};
  refused({"compare", scenario, "--assumptions", "--set", bad},
          "alternative \"dear\": /pools/3/gpus: there is no item");
  refused({"validate", scenario, "--set", bad}, "alternative \"dear\": /pools/3/gpus: there is no item");
  refused({"compare", scenario, "--assumptions", "--set", "/alternatives=[]"}, "/alternatives: is missing");
  CHECK(stockout_says({"compare", scenario, "--set", bad}).code == ExitCode::done);
  CHECK_THAT(stockout_says({"validate", scenario}).out, Catch::Contains("price of Spot: dear"));
}

TEST_CASE("All alternatives together are no more work than one comparison may be", "[assumptions]") {
  const ScratchFolder folder;
  std::string text = two_prices();
  const std::string at = R"("schedule": {"at": "12:00"})";
  text.replace(text.find(at), at.size(), R"("poisson": {"per_hour": 500000})");
  const std::string scenario = folder.file("s.json", text);
  const Answer answer = stockout_says({"compare", scenario, "--assumptions", "--replications", "10000"});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Catch::Contains("3 variants of the scenario") && Catch::Contains("2 strategies"));
}
