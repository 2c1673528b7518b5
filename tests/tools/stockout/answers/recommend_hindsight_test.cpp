// `stockout recommend --observed` as a user types it.

#include <algorithm>
#include <fstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/made_up/history_question.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

// Jobs of an hour at noon that must start at once: as many machines as jobs a day, each $240 a day.
constexpr const char* kHistoryScenario = R"({
 "name": "later", "question": "How many machines?", "start": "2026-08-03", "window": "4d",
 "prices_as_of": "2026-07-30",
 "prices": [{"machine": "generic", "usd_per_hour": 10},
            {"machine": "generic", "use": "leased", "model": "on_demand", "usd_per_hour": 500}],
 "workload": [{"name": "jobs", "machine": "generic",
               "trace": {"file": "jobs.csv", "format": "csv", "shift": "none"}}],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 80}],
 "models": {"all": {"start_up": "1min"}, "on_demand": {"retries": 0}},
 "goal": {"wait_p": 95, "at_most": "5min", "same_work": 50}, "indifference_usd": 10,
 "decide": [{"name": "machines", "at": "/reservations/0/count", "from": 20, "to": 60, "step": 10}],
 "unknown": [{"name": "GPUs", "at": "/pools/0/gpus", "from": 60, "to": 80, "step": 10}],
 "reservations": [{"name": "held", "machine": "generic", "place": "generic", "count": 60}],
 "strategies": [{"name": "reserved", "legs": [{"model": "reservation", "reservation": "held"}]},
                {"name": "rented", "legs": [{"model": "on_demand"}]}]
})";

struct HistoryDesk {
  ScratchFolder folder;
  std::string scenario = folder.file("s.json", kHistoryScenario);
  std::string jobs;

  explicit HistoryDesk(const std::vector<int>& by_day, int wait_min = 0)
      : jobs{folder.file("jobs.csv", noon_jobs(by_day, wait_min))} {}

  [[nodiscard]] Answer recommend(std::vector<std::string> more = {},
                                 const std::string& split = "2026-08-05") const {
    std::vector<std::string> arguments{"recommend", scenario, "--observed", jobs, "--split", split};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  }
  [[nodiscard]] Json json(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--format", "json"});
    return Json::parse(recommend(std::move(more)).out);
  }
};

}  // namespace

TEST_CASE("An advice is paid on later jobs, and its regret is named", "[recommend][hindsight]") {
  const HistoryDesk desk{{50, 50, 30, 30}};
  const Answer answer = desk.recommend({"--format", "markdown"});
  CAPTURE(answer.out, answer.err);
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(
      answer.out,
      Contains("Advised on the 2d before 2026-08-05 00:00 UTC: buy \"reserved; machines: 50\". On the 2d "
               "after it that costs $24,000, $12,000 a day. Best in hindsight: \"reserved; machines: 30\" "
               "for $14,400, $7,200 a day. Regret: $9,600, $4,800 a day, 66.7 % of it. As today "
               "(\"reserved\" as written) it costs $28,800: $14,400 could be saved, of which the advice "
               "saves 33.3 %."));
  CHECK_THAT(answer.out, !Contains("Warnings"));
  const Json found = desk.json();
  CHECK(found["kind"] == "regret");
  CHECK(found["regret_usd"]["mean"] == 9'600);
  CHECK(found["regret_usd"]["per_day"] == 4'800);
  CHECK(found["to_gain_usd"]["mean"] == 14'400);
  CHECK(found["gained_usd"]["mean"] == 4'800);
  CHECK(found["captured_share"]["mean"].get<double>() == Approx(1.0 / 3));
  CHECK(found["parts"][0]["jobs"] == 100);
  CHECK(found["parts"][1]["jobs"] == 60);
  CHECK(found["parts"][0]["days"] == 2);
  CHECK(found["paid"][0]["goal_1"]["mean"] == 1);
  const std::string csv = desk.recommend({"--format", "csv"}).out;
  CHECK_THAT(csv, Catch::StartsWith("way,bought,cost_usd,cost_usd_plus_minus,usd_per_day,more_usd,"));
  CHECK(std::ranges::count(csv, '\n') == 4);
}

TEST_CASE("An advice that misses a goal later says which, and by how much", "[recommend][hindsight]") {
  const HistoryDesk desk{{30, 30, 50, 50}};
  const Answer answer = desk.recommend({"--format", "markdown"});
  CAPTURE(answer.out, answer.err);
  CHECK(answer.code == ExitCode::not_as_asked);
  CHECK_THAT(answer.out,
             Contains("It misses a goal there, so it has no regret in dollars: 60.0 % (95 % of ") &&
                 Contains("), 35.0 points short. Best in hindsight: \"reserved; machines: 50\"") &&
                 Contains("it costs $28,800: $4,800 could be saved."));
  const Json found = desk.json();
  CHECK(found["kind"] == "misses_goal");
  CHECK(found["regret_usd"].is_null());
  CHECK(found["captured_share"].is_null());
  CHECK(found["missed"][0]["goal"] == 1);
  CHECK(found["missed"][0]["short_by"].get<double>() == Approx(0.35));
  CHECK(found["paid"][0]["misses"] == "goal 1");
}

TEST_CASE("The baseline is the strategy that is named, as it is written", "[recommend][hindsight]") {
  const HistoryDesk desk{{50, 50, 30, 30}};
  const Json found = desk.json({"--baseline", "rented"});
  CHECK(found["baseline"] == "rented");
  CHECK(found["paid"][2]["cost_usd"]["mean"].get<double>() == Approx(60 * 500 * 61.0 / 60));
  const Answer none = desk.recommend({"--set", "/reservations/0/count=30"});
  CHECK_THAT(none.out, Contains("nothing could be saved."));
  CHECK_THAT(desk.recommend({"--indifference", "20000", "--format", "markdown"}).out,
             Contains("That may be no more than the $20,000 that make no difference."));
  CHECK_THAT(desk.recommend({"--baseline", "rent"}).err, Contains("--baseline: ") && Contains("rented"));
}

TEST_CASE("Without an advice nothing is paid, and it ends with exit code 1", "[recommend][hindsight]") {
  const HistoryDesk desk{{50, 50, 30, 30}};
  const Answer answer = desk.recommend({"--set", "/goals=[{\"budget_usd\": 1}]"});
  CAPTURE(answer.out, answer.err);
  CHECK(answer.code == ExitCode::not_as_asked);
  CHECK_THAT(answer.out,
             Contains("Nothing is advised on the 2d before 2026-08-05") && !Contains("After the split"));
  CHECK(desk.json({"--set", "/goals=[{\"budget_usd\": 1}]"})["kind"] == "nothing_advised");
}

TEST_CASE("An advice that cannot be bought later says why", "[recommend][hindsight]") {
  const HistoryDesk desk{{30, 30, 30, 30}};
  const Answer answer = desk.recommend({"--set",
                                        R"(/decide=[{"name": "machines", "choices": [
    {"name": "until the split", "set": {"/reservations/0/count": 30, "/reservations/0/until": "2026-08-05"}},
    {"name": "more", "set": {"/reservations/0/count": 50}}]}])",
                                        "--format", "markdown"});
  CAPTURE(answer.out, answer.err);
  CHECK(answer.code == ExitCode::not_as_asked);
  CHECK_THAT(answer.out,
             Contains("buy \"reserved; machines: until the split\". It cannot be bought after that:") &&
                 Contains("/reservations/0/until: must be after") &&
                 Contains("Best in hindsight: \"reserved; machines: more\"") &&
                 Contains("Refused: 0 combinations before the split and 1 after it."));
}

TEST_CASE("A history under short supply, an old one and one without waits are warned of",
          "[recommend][hindsight]") {
  const auto warnings = [](const HistoryDesk& desk, std::vector<std::string> more = {}) {
    return desk.json(std::move(more))["warnings"].dump();
  };
  CHECK_THAT(
      warnings(HistoryDesk{{50, 50, 30, 30}, 61}),
      Contains("Supply was short before the split: 100.0 % of 100 jobs never started (0) or waited longer "
               "than they worked (100)"));
  CHECK(warnings(HistoryDesk{{50, 50, 30, 30}, 60}) == "[]");
  const HistoryDesk silent{{50, 50, 30, 30}, -1};
  CHECK_THAT(warnings(silent), Contains("Of the jobs before the split") && Contains("tells no waits"));
  CHECK_THAT(
      warnings(silent, {"--set", "/prices_as_of=\"2027-09-01\"", "--set", "/prices_follow_calendar=false"}),
      Contains("The history is old: it ends 2026-08-06, 391 days before the prices"));
  const std::string more =
      R"(/workload/-={"name": "more", "machine": "generic", "schedule": {"at": "18:00"}, "work": "1h"})";
  CHECK_THAT(warnings(silent, {"--set", more}), Contains("\\\"more\\\" is made by the scenario's rule"));
}

TEST_CASE("A split within a day moves to where the nearest begins", "[recommend][hindsight]") {
  const HistoryDesk desk{{50, 50, 30, 30}};
  const Answer answer = desk.recommend({"--format", "json"}, "60%");
  CAPTURE(answer.out, answer.err);
  const Json found = Json::parse(answer.out);
  CHECK(found["split"] == "2026-08-05 00:00 UTC");
  CHECK_THAT(found["warnings"].dump(), Contains("was moved from 2026-08-04 12:00 UTC to 2026-08-05 00:00"));
}

TEST_CASE("Histories that cannot be cut so are errors, and nothing is written", "[recommend][hindsight]") {
  const HistoryDesk desk{{50, 50, 30, 30}};
  const std::string output = desk.folder.path("out.txt");
  const auto [split, more, message] = GENERATE(table<std::string, std::vector<std::string>, std::string>({
      {"tomorrow", {}, "--split: must be a day, as 2026-05-01"},
      {"2026-09-01", {}, "--split: must be after the first submission and before the last"},
      {"1h",
       {"--set", "/workload/0/trace/shift=\"to_start\""},
       "--split: must leave a day of the window, of 4.0 days, on either side"},
      {"2026-08-06", {}, "leaves 130 jobs before it and 30 after it: must be where both are at least 50"},
      {"2026-08-05", {"--set", "/window=2d"}, "--split: must leave a day of the window, of 2.0 days"},
      {"2026-08-05", {"--set", "/window=70h"}, "--split: must leave a day of the window, of 2.9 days"},
      {"2026-08-05", {"--set", "/workload/0/demand=2"}, "is replayed by no source of"},
      {"2026-08-05",
       {"--set", "/workload/0/trace/resample={\"block\": \"1d\"}"},
       "is replayed by no source of"},
      {"2026-08-05",
       {"--set",
        "/workload/0={\"name\": \"jobs\", \"machine\": \"generic\", \"schedule\": {\"at\": \"12:00\"}, "
        "\"work\": \"1h\"}"},
       "is replayed by no source of"},
      {"2026-08-05",
       {"--write-scenario", "winner.json"},
       "--write-scenario: cannot be combined with --observed"},
      {"2026-08-05", {"--observed-format", "swf"}, "is read by the source \"jobs\" of the scenario"},
  }));
  std::vector<std::string> arguments{"--output", output};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Answer answer = desk.recommend(arguments, split);
  CAPTURE(answer.out, answer.err, split, more);
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains(message));
  CHECK_FALSE(std::ifstream{output}.good());
}

TEST_CASE("What belongs to a history is asked for with it", "[recommend][hindsight]") {
  const HistoryDesk desk{{50, 50, 30, 30}};
  const Answer none = stockout_says({"recommend", desk.scenario, "--observed", desk.jobs});
  CHECK(none.code == ExitCode::bad_input);
  CHECK_THAT(none.err, Contains("--split: is missing"));
  for (const char* option : {"--split", "--baseline"})
    CHECK(stockout_says({"recommend", desk.scenario, option, "rented"}).code == ExitCode::bad_input);
  const std::string other = desk.folder.file("other.csv", noon_jobs({50, 50, 30, 30}));
  const Answer answer =
      stockout_says({"recommend", desk.scenario, "--observed", other, "--split", "2026-08-05"});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains("other.csv: is replayed by no source of"));
  CHECK_THAT(desk.recommend({"--output", desk.jobs}).err, Contains("--output"));
}

TEST_CASE("Worlds are the same on both parts", "[recommend][hindsight][worlds]") {
  // In half the worlds the zone has room for 60 machines, in the others for 80: both are enough.
  const HistoryDesk desk{{50, 50, 30, 30}};
  const std::string worlds = desk.folder.file(
      "w.json",
      R"({"layout": "stockout worlds 2", "stockout": "0.1.0", "scenario": "later", "observed": "waits.csv",
 "strategy": "rented", "runs": 400, "typical": "world 1", "unknown": [{"name": "GPUs", "prior": "60 to 80",
 "median": "80", "low": "60", "high": "80", "provenance": "fitted",
 "places": [{"at": "/pools/0/gpus", "in": "pool \"zone\""}]}], "worlds": [
 {"name": "world 1", "weight": 1, "set": {"/pools/0/gpus": 60}},
 {"name": "world 2", "weight": 1, "set": {"/pools/0/gpus": 80}}]})");
  const Json found = desk.json({"--worlds", worlds});
  CHECK(found["kind"] == "regret");
  CHECK(found["regret_usd"]["mean"] == 9'600);
  const Answer text = desk.recommend({"--worlds", worlds, "--most-worlds", "2", "--format", "markdown"});
  CHECK(text.code == ExitCode::done);
  CHECK_THAT(text.out, Contains("95 % sure over noise and 2 worlds together."));
}
