// `stockout recommend --worlds` as a user types it.

#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

// Six jobs of an hour at noon, on two days: three reserved machines are enough, and four of the zone's serve
// four.
constexpr const char* kRentOrReserve = R"({
 "name": "rent", "start": "2026-08-03", "window": "2d", "prices_as_of": "2026-07-30",
 "prices": [{"machine": "generic", "usd_per_hour": 10}],
 "workload": [{"name": "jobs", "machine": "generic", "schedule": {"at": "12:00", "count": 6}, "work": "1h"}],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 8}],
 "models": {"all": {"start_up": "1min"}, "on_demand": {"retries": 0}},
 "goal": {"wait_p": 95, "at_most": "70min", "same_work": 50}, "indifference_usd": 10,
 "decide": [{"name": "machines", "at": "/reservations/0/count", "from": 0, "to": 4}],
 "unknown": [{"name": "GPUs", "at": "/pools/0/gpus", "from": 4, "to": 8, "step": 1}],
 "reservations": [{"name": "held", "machine": "generic", "place": "generic", "count": 2}],
 "strategies": [{"name": "reserved", "legs": [{"model": "reservation", "reservation": "held"}]},
                {"name": "rented", "legs": [{"model": "on_demand"}]}]
})";

struct OneWorld {
  std::string set;  // a JSON object of pointers and values
  double weight = 1;
};

constexpr const char* kPlaces = R"({"at": "/pools/0/gpus", "in": "pool \"zone\""},
 {"at": "/reservations/0/count", "in": "reservation \"held\""})";

std::string worlds_of(const std::vector<OneWorld>& worlds, const std::string& scenario = "rent",
                      const std::string& places = kPlaces) {
  std::vector<std::string> texts;
  for (const OneWorld& world : worlds)
    texts.push_back(fmt::format(R"({{"name": "world {}", "weight": {}, "set": {}}})", texts.size() + 1,
                                world.weight, world.set));
  return fmt::format(
      R"({{"layout": "stockout worlds 2", "stockout": "0.1.0", "scenario": "{}", "observed": "waits.csv",
 "strategy": "rented", "runs": 400, "typical": "world 1", "unknown": [{{"name": "GPUs", "prior": "4 to 8",
 "median": "8", "low": "4", "high": "8", "provenance": "fitted", "places": [{}]}}], "worlds": [{}]}})",
      scenario, places, fmt::join(texts, ", "));
}

std::string with_gpus(int gpus) { return fmt::format(R"({{"/pools/0/gpus": {}}})", gpus); }

struct Desk {
  ScratchFolder folder;
  std::string scenario = folder.file("s.json", kRentOrReserve);

  [[nodiscard]] Answer recommend(const std::string& worlds, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"recommend", scenario, "--worlds", folder.file("w.json", worlds)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  }
};

}  // namespace

TEST_CASE("An answer that fails in some worlds is not called safe", "[recommend][worlds]") {
  const Desk desk;
  const std::string worlds = worlds_of({{with_gpus(8), 0.9}, {with_gpus(4), 0.1}});
  const Answer answer = desk.recommend(worlds, {"--format", "markdown"});
  CAPTURE(answer.out, answer.err);
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(
      answer.out,
      Contains("Buy \"rented\"") &&
          Contains("It is not safe in every world: on average it meets the goals, but in worlds of 10.0 % "
                   "of the weight (2 in all) it misses at least one.") &&
          Contains("95 % sure over noise and 2 worlds together"));
  CHECK_THAT(answer.out,
             Contains("2 worlds of " + desk.folder.path("w.json") + ", which agree with waits.csv") &&
                 Contains("Goal 1 is met in worlds of 90.0 % of the weight: 95 % of jobs"));
  const Json found = Json::parse(desk.recommend(worlds, {"--format", "json"}).out);
  CHECK(found["worlds"]["all_met_share"] == 0.9);
  CHECK(found["worlds"]["goals"][0]["met_share"] == 0.9);
  CHECK(found["worlds"]["worlds"][1]["goals"][0].get<double>() == Approx(4.0 / 6));
  CHECK(found["worlds"]["worlds"][1]["weight"] == 0.1);
  CHECK(found["worlds"]["cost_usd"]["low"].get<double>() == Approx(8 * 10 * 61.0 / 60));
  CHECK(found["worlds"]["cost_usd"]["middle"].get<double>() == Approx(12 * 10 * 61.0 / 60));
  CHECK(found["purchases"][0]["worlds_met_share"] == 0.9);
  CHECK_THAT(desk.recommend(worlds, {"--format", "csv"}).out, Contains(",worlds_met_share,work_done_share"));
}

TEST_CASE("An answer that holds in every world says that", "[recommend][worlds]") {
  const Desk desk;
  const Answer answer = desk.recommend(worlds_of({{with_gpus(8), 1}, {with_gpus(4), 1}}));
  CAPTURE(answer.out, answer.err);
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Contains("machines: 3") && Contains("Over the worlds it costs $1,440 to $1,440"));
  const Json found =
      Json::parse(desk.recommend(worlds_of({{with_gpus(8)}, {with_gpus(4)}}), {"--format", "json"}).out);
  CHECK_THAT(found["sentence"].get<std::string>(), Contains("It meets all goals in every one of 2 worlds."));
}

TEST_CASE("One world that is as written gives the numbers of none", "[recommend][worlds]") {
  const Desk desk;
  const std::string load =
      R"([{"name": "work", "machine": "generic", "poisson": {"per_day": 40}, "work": "1h"}])";
  const std::vector<std::string> noisy{"--set", "/workload=" + load, "--format", "json"};
  Json with = Json::parse(desk.recommend(worlds_of({{with_gpus(8)}}), noisy).out);
  const Json without =
      Json::parse(stockout_says({"recommend", desk.scenario, noisy[0], noisy[1], noisy[2], noisy[3]}).out);
  CHECK(with.contains("worlds"));
  CHECK_FALSE(without.contains("worlds"));
  for (Json& purchase : with["purchases"]) purchase.erase("worlds_met_share");
  CHECK(with["purchases"] == without["purchases"]);
  CHECK(with["runs"] == without["runs"]);
  CHECK(with["flips"] == without["flips"]);
}

TEST_CASE("The scenario of a winner over worlds leaves the unknown as it is written", "[recommend][worlds]") {
  const Desk desk;
  const std::string winner = desk.folder.path("winner.json");
  const std::string worlds = worlds_of({{with_gpus(6)}, {with_gpus(4)}});
  CHECK(desk.recommend(worlds, {"--write-scenario", winner}).code == ExitCode::done);
  const Json json = Json::parse(std::ifstream{winner});
  CHECK(json["pools"][0]["gpus"] == 8);
  CHECK(json["reservations"][0]["count"] == 3);
  CHECK(stockout_says({"compare", winner, "--worlds", desk.folder.path("w.json")}).code == ExitCode::done);
}

TEST_CASE("Worlds that cannot be are errors, and nothing is written", "[recommend][worlds]") {
  const Desk desk;
  const std::string good = worlds_of({{with_gpus(8)}, {with_gpus(4)}});
  const auto [worlds, more,
              message] = GENERATE_COPY(table<std::string, std::vector<std::string>, std::string>({
      {worlds_of({{with_gpus(8)}}, "other"), {}, "w.json: /scenario: are worlds of \"other\""},
      {worlds_of({{R"({"/reservations/0/count": 2})"}}),
       {"--set", "/unknown/0/at=/reservations/0/count"},
       "/decide: \"the worlds\" and \"machines\" both change"},
      {worlds_of({{R"({"/pools/0/gpus": 8, "/reservations/0/count": 2})"}}),
       {},
       "/worlds/0/set: changes /reservations/0/count, which the scenario does not leave open"},
      {worlds_of({{with_gpus(8)}, {R"({"/reservations/0/count": 2})"}}),
       {},
       "/worlds/1/set: lacks /pools/0/gpus, which unknown \"GPUs\" leaves open"},
      {worlds_of({{with_gpus(8)}, {R"({"/pools/7/gpus": 2})"}}),
       {},
       "/worlds/1/set: changes /pools/7/gpus, which is in no \"places\""},
      {worlds_of({{with_gpus(8)}}, "rent", R"({"at": "/pools/0/gpus", "in": "pool \"east\""})"),
       {},
       "w.json: /unknown/0/places/0: the worlds were calibrated for pool \"east\" at /pools/0/gpus, but in"},
      {worlds_of({{with_gpus(8)}}, "rent", R"({"at": "/pools/1/gpus", "in": "pool \"zone\""})"),
       {},
       "/unknown/0/places/0: the worlds change /pools/1/gpus, and"},
      {worlds_of({{with_gpus(8)}, {R"({"/pools/0/gpus": "many"})"}}), {}, "/pools/0/gpus"},
      {worlds_of({{R"({"/workload/0/work": "2h"})"}}), {}, "changes nothing at \"/workload/0/work\""},
      {worlds_of({{with_gpus(8), -1}}), {}, "/worlds/0/weight"},
      {"{", {}, "w.json"},
      {good, {"--set", "/pools/0/gpus=5"}, "--set /pools/0/gpus: is what the worlds of"},
      {good, {"--most-worlds", "0"}, "--most-worlds"},
      {worlds_of({{with_gpus(8), 4}, {with_gpus(4), 7}}),
       {"--most-worlds", "11", "--most-replications", "10"},
       "--most-replications: must be at least 11"},
  }));
  const std::string output = desk.folder.path("out.txt");
  std::vector<std::string> arguments{"--output", output, "--write-scenario", desk.folder.path("winner.json")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Answer answer = desk.recommend(worlds, arguments);
  CAPTURE(answer.out);
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains(message));
  CHECK_FALSE(std::ifstream{output}.good());
  CHECK_FALSE(std::ifstream{desk.folder.path("winner.json")}.good());
}

TEST_CASE("Worlds without a file, and over the file itself, are errors", "[recommend][worlds]") {
  const Desk desk;
  const Answer none = stockout_says({"recommend", desk.scenario, "--worlds", desk.folder.path("none.json")});
  CHECK(none.code == ExitCode::bad_input);
  CHECK_THAT(none.err, Contains("none.json"));
  CHECK(stockout_says({"recommend", desk.scenario, "--most-worlds", "5"}).code == ExitCode::bad_input);
  const Answer over = desk.recommend(worlds_of({{with_gpus(8)}}), {"--output", desk.folder.path("w.json")});
  CHECK(over.code == ExitCode::bad_input);
  CHECK_THAT(over.err, Contains("--output"));
}
