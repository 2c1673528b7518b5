// `calibrate`, `compare --worlds` and `backtest` as a user types them.

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

// A queue of one-GPU jobs, 30 minutes apart, of 100 minutes each on three machines: it grows and shrinks with
// the hours in which nobody asks. On one machine it grows to weeks.
std::string record_of_queue(std::size_t machines = 3) {
  std::ostringstream text;
  text << "submit,start,end,outcome,gpus,class\n";
  std::vector<int> free(machines, 0);
  for (int day = 0; day < 60; ++day) {
    for (int i = 0; i < 30; ++i) {
      const int submit = day * 86'400 + i * 1'800 + (day % 7) * 120;
      auto first = std::min_element(free.begin(), free.end());
      const int start = std::max(submit, *first);
      *first = start + 6'000 - (i % 3) * 600;
      text << fmt::format("{},{},{},done,1,{}\n", submit, start, *first, i % 2 == 0 ? "even" : "odd");
    }
  }
  return text.str();
}

std::string scenario(const std::string& unknown) {
  return R"({"name": "queue", "start": "2026-08-03", "prices_as_of": "2026-07-30", "replications": 3,
 "prices": [{"machine": "generic", "usd_per_hour": 10}], "goal": {"wait_p": 95, "at_most": "2h"},
 "workload": [{"name": "jobs", "machine": "generic", "trace": {"file": "record.csv", "format": "csv"}}],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 8, "discipline": "fifo"},
           {"name": "away", "family": "generic", "place": "generic", "gpus": 5, "discipline": "fifo"}],
 "models": {"all": {"start_up": "0s"}}, "unknown": [)" +
         unknown + R"(],
 "strategies": [{"name": "queued", "legs": [{"model": "flex_start", "max_wait": "forever"}]},
                {"name": "at once", "legs": [{"model": "on_demand"}]}]})";
}

const std::string kMachines =
    R"({"name": "machines", "at": "/pools/0/gpus", "from": 1, "to": 12, "step": 1})";

struct Files {
  ScratchFolder folder;
  std::string record = folder.file("record.csv", record_of_queue());
  std::string worlds = folder.path() + "/worlds.json";

  [[nodiscard]] std::string scenario_file(const std::string& unknown) const {
    std::string text = scenario(unknown);
    // One pool is enough where nothing else is said.
    const auto begin = text.find(",\n           {\"name\": \"away\"");
    text.erase(begin, text.find("}],", begin) + 1 - begin);
    return folder.file("s.json", text);
  }
  [[nodiscard]] Answer calibrate(const std::string& unknown, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{
        "calibrate", scenario_file(unknown), "--observed", record, "--strategy", "queued", "--runs", "400"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  }
};

// The rows of its pictures are the numbers of the report.
void check_page(const std::string& page, const Json& report) {
  const auto shows = [&](const Json& row) { CHECK_THAT(page, Contains(row.dump())); };
  for (const Json& day : report["by_day"]) {
    shows({{"day", day["day"]},
           {"jobs", day["jobs"]},
           {"mean_h", day["recorded_h"]},
           {"strategy", "recorded"}});
    shows({{"day", day["day"]},
           {"jobs", day["jobs"]},
           {"mean_h", day["predicted_h"]},
           {"strategy", "predicted"}});
  }
  for (const Json& level : report["coverage"]) shows(level);
  for (const Json& row : report["waits"]) {
    if (row["figure"] != "p90_h") continue;
    const auto shows_p90 = [&](const char* name, const Json& wait_h) {
      shows({{"jobs", row["jobs"]}, {"share", 0.9}, {"strategy", name}, {"wait_h", wait_h}});
    };
    shows_p90("recorded", row["recorded"]);
    shows_p90("predicted", row["predicted"]);
    shows_p90("as in the last period", row["last_period"]);
  }
  CHECK_THAT(page, Contains("stockout backtest ") && Contains("the mean wait is predicted"));
}

}  // namespace

TEST_CASE("A queue's machines are found from its waits, and compared with", "[calibrate]") {
  const Files files;
  const Answer answer = files.calibrate(kMachines, {"--write-worlds", files.worlds, "--format", "json"});
  CAPTURE(answer.out, answer.err);
  REQUIRE(answer.code == ExitCode::done);
  const Json found = Json::parse(answer.out);
  CHECK(found["jobs"] == 1'800);
  CHECK(found["unknown"][0]["middle"] == "3");
  CHECK(found["unknown"][0]["provenance"] == "fitted");
  const Answer compared =
      stockout_says({"compare", files.folder.path() + "/s.json", "--worlds", files.worlds});
  CAPTURE(compared.out, compared.err);
  CHECK(compared.code == ExitCode::done);
  CHECK_THAT(compared.out, Contains("the answer"));
  // The world in the middle replaces the written values: three machines make jobs wait.
  const Json middle = Json::parse(stockout_says({"compare", files.folder.path() + "/s.json", "--worlds",
                                                 files.worlds, "--format", "json"})
                                      .out);
  const Json written = Json::parse(stockout_says({"compare", files.folder.path() + "/s.json", "--set",
                                                  "/pools/0/gpus=3", "--format", "json"})
                                       .out);
  CHECK(middle["fingerprint"] == written["fingerprint"]);
  CHECK(middle["worlds"]["worlds"].size() >= 1);
  CHECK_THAT(middle["verdict"]["sentence"].get<std::string>(), Contains("No other strategy"));
  CHECK_THAT(middle["worlds"]["sentence"].get<std::string>(),
             Contains("agree with " + files.record + ", by weight: \"queued\" is the answer in 100 %."));
}

TEST_CASE("What the history says nothing of is refused, unless it is kept", "[calibrate][evidence]") {
  const Files files;
  const std::string of_nobody =
      kMachines + R"(, {"name": "order", "at": "/pools/0/flex_before_on_demand", "values": [false, true]})";
  const Answer refused = files.calibrate(of_nobody, {"--write-worlds", files.worlds});
  CHECK(refused.code == ExitCode::not_as_asked);
  CHECK_THAT(refused.out, Contains("The history hardly narrows \"order\""));
  CHECK_FALSE(std::ifstream{files.worlds}.good());
  const Answer kept = files.calibrate(of_nobody, {"--write-worlds", files.worlds, "--keep-unidentified"});
  CHECK(kept.code == ExitCode::done);
  CHECK(std::ifstream{files.worlds}.good());
}

TEST_CASE("Calibrations that cannot be are errors", "[calibrate]") {
  const Files files;
  const std::string file = files.scenario_file(kMachines);
  CHECK_THAT(stockout_says({"calibrate", file, "--observed", files.record}).err,
             Contains("--strategy: is missing") && Contains("has 2 strategies"));
  CHECK_THAT(stockout_says({"calibrate", file, "--observed", files.record, "--strategy", "queue"}).err,
             Contains("queued"));
  const std::string no_waits = files.folder.file("none.csv", "submit,duration,gpus\n0,60,1\n");
  const Answer none = stockout_says({"calibrate", file, "--observed", no_waits, "--strategy", "queued"});
  CHECK(none.code == ExitCode::bad_input);
  CHECK_THAT(none.err, Contains("records no waits"));
  const std::string few = files.folder.file("few.csv", "submit,start,end,gpus\n0,60,120,1\n300,360,500,1\n");
  CHECK_THAT(stockout_says({"calibrate", file, "--observed", few, "--strategy", "queued"}).err,
             Contains("tells the waits of 2 jobs that the scenario has too: at least 20"));
  const Answer calibrated = files.calibrate(kMachines, {"--write-worlds", files.worlds});
  REQUIRE(calibrated.code == ExitCode::done);
  CHECK_THAT(stockout_says({"compare", file, "--set", "/name=other", "--worlds", files.worlds}).err,
             Contains("are worlds of \"queue\"") && Contains("calibrate this one"));
  CHECK_THAT(stockout_says({"compare", file, "--set", "/pools/0/gpus=4", "--worlds", files.worlds}).err,
             Contains("--set /pools/0/gpus: is what the worlds of"));
  CHECK_THAT(files.calibrate(kMachines, {"--set", "/pools/0/gpus=4"}).err,
             Contains("--set /pools/0/gpus: is what unknown \"machines\" leaves open"));
}

TEST_CASE("A whole number that is unknown and has no step is explained", "[calibrate]") {
  const Answer answer =
      Files{}.calibrate(R"({"name": "machines", "at": "/pools/0/gpus", "from": 2, "to": 8})");
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err,
             Contains("unknown \"machines\", without \"step\": /pools/0/gpus: must be a whole number"));
}

TEST_CASE("A choice that changes which strategies there are is refused before any run", "[calibrate]") {
  const Files files;
  const Answer answer = files.calibrate(
      kMachines + R"(, {"name": "ways", "choices": [{"name": "as is", "set": {"/pools/0/discipline": "fifo"}},
    {"name": "other way round", "set": {"/strategies": [
      {"name": "at once", "legs": [{"model": "on_demand"}]},
      {"name": "queued", "legs": [{"model": "flex_start", "max_wait": "forever"}]}]}}]})");
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains("/unknown/1: has the choice \"other way round\", which changes which "
                                  "strategies there are"));
}

TEST_CASE("Worlds that make nothing of what is recorded do not agree with it", "[calibrate][evidence]") {
  const Files files;
  const Answer answer =
      files.calibrate(R"({"name": "machines", "at": "/pools/0/gpus", "from": 6, "to": 12, "step": 1})",
                      {"--keep-unidentified", "--write-worlds", files.worlds});
  CAPTURE(answer.out);
  CHECK_THAT(answer.out, Contains("are nearest to 1,800 jobs") && Contains("but do not explain them."));
  const Json compared = Json::parse(stockout_says({"compare", files.folder.path() + "/s.json", "--worlds",
                                                   files.worlds, "--format", "json"})
                                        .out);
  CHECK_THAT(compared["worlds"]["sentence"].get<std::string>(),
             Contains("that are nearest to " + files.record + " but do not explain it, by weight"));
}

TEST_CASE("A wait beyond the longest that is told apart is a bound, for people and for programs",
          "[calibrate][evidence]") {
  Files files;
  files.record = files.folder.file("record.csv", record_of_queue(1));
  const std::string two = R"({"name": "machines", "at": "/pools/0/gpus", "from": 2, "to": 3, "step": 1})";
  const Answer json = files.calibrate(two, {"--keep-unidentified", "--format", "json"});
  CAPTURE(json.out, json.err);
  REQUIRE(json.code == ExitCode::done);
  const Json found = Json::parse(json.out);
  const auto p90 = std::ranges::find_if(found["figures"], [](const Json& row) {
    return row["jobs"] == "odd" && row["figure"] == "p90 wait, h";
  });
  REQUIRE(p90 != found["figures"].end());
  CHECK((*p90)["recorded"] == 720);
  CHECK((*p90)["recorded_is_lower_bound"] == true);
  CHECK((*p90)["low_is_lower_bound"] == false);
  CHECK_THAT(files.calibrate(two, {"--keep-unidentified"}).out, Contains("> 720.00"));
}

TEST_CASE("Rows of a history that do not count are said", "[calibrate][evidence]") {
  const Files files;
  const std::string record =
      files.folder.file("record.csv", record_of_queue() + "5184000,5180000,5190000,done,1,even\n" +
                                          "5184000,5184060,5184060,done,1,even\n");
  const Answer answer = stockout_says({"calibrate", files.scenario_file(kMachines), "--observed", record,
                                       "--strategy", "queued", "--runs", "400"});
  CAPTURE(answer.out, answer.err);
  CHECK_THAT(answer.out, Contains("1 job of the history left out: no start is known, or one before"));
  CHECK_THAT(answer.out, Contains("Left out of the history: ") && Contains("(1 row, first in line 1803)"));
}

TEST_CASE("A history of other classes is refused with both sides' names", "[calibrate]") {
  const Files files;
  std::string other = record_of_queue();
  for (std::size_t at = 0; (at = other.find(",even", at)) != std::string::npos;)
    other.replace(at, 5, ",blue");
  for (std::size_t at = 0; (at = other.find(",odd", at)) != std::string::npos;) other.replace(at, 4, ",red");
  const Answer answer = stockout_says({"calibrate", files.scenario_file(kMachines), "--observed",
                                       files.folder.file("other.csv", other), "--strategy", "queued"});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err,
             Contains("its jobs are \"blue\", \"red\", those of the scenario \"jobs\", \"even\""));
}

TEST_CASE("Jobs that never started are said to be left out, and cost the grade", "[backtest][evidence]") {
  const Files files;
  std::string text = record_of_queue();
  for (int i = 0; i < 600; ++i) text += fmt::format("{},,,expired,1,even\n", 41 * 86'400 + i * 60);
  const std::string record = files.folder.file("record.csv", text);
  const Answer answer = stockout_says({"backtest", files.scenario_file(kMachines), "--observed", record,
                                       "--strategy", "queued", "--runs", "400", "--split", "40d"});
  CAPTURE(answer.out, answer.err);
  REQUIRE(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Contains("600 jobs after the split never started."));
  CHECK_THAT(answer.out, Contains("50 % of the jobs never started, and are not predicted"));
  CHECK_THAT(answer.out, !Contains("good: "));
}

TEST_CASE("Waits after a day are predicted from those before it", "[backtest][evidence]") {
  const Files files;
  const std::string file = files.scenario_file(kMachines);
  const Answer answer = stockout_says({"backtest", file, "--observed", files.record, "--strategy", "queued",
                                       "--runs", "400", "--split", "40d", "--format", "json"});
  CAPTURE(answer.out, answer.err);
  REQUIRE(answer.code == ExitCode::done);
  const Json found = Json::parse(answer.out);
  CHECK(found["by_day"].size() == 20);
  CHECK(found["days"] == 20);
  // The rules are those of the record, so that simulated waits are the recorded ones.
  CHECK(std::abs(found["mean_error_share"].get<double>()) < 0.05);
  CHECK(found["skill"].get<double>() > 0.5);
  CHECK(found["triangle"]["own_jobs_h"].get<double>() ==
        Approx(found["triangle"]["recorded_h"].get<double>()).epsilon(0.01));
  CHECK(found["waits"][0]["number"] == 600);
  const Answer half = stockout_says({"backtest", file, "--observed", files.record, "--strategy", "queued",
                                     "--runs", "400", "--split", "50%", "--at-least", "good", "--format",
                                     "json", "--report", files.folder.path("page.html")});
  const Json report = Json::parse(half.out);
  CHECK_THAT(report["split"].get<std::string>(), Contains("day 30"));
  CHECK(report["waits"][0]["number"] == 900);
  std::ostringstream page;
  page << std::ifstream{files.folder.path("page.html")}.rdbuf();
  check_page(page.str(), report);
}

TEST_CASE("Splits that cannot be are errors", "[backtest]") {
  const Files files;
  const std::string file = files.scenario_file(kMachines);
  const auto error_of = [&](const std::string& split) {
    return stockout_says(
               {"backtest", file, "--observed", files.record, "--strategy", "queued", "--split", split})
        .err;
  };
  CHECK_THAT(error_of("tomorrow"), Contains("--split: must be a day, as 2026-05-01"));
  CHECK_THAT(error_of("2026-05-01"), Contains("since the history has no dates"));
  CHECK_THAT(error_of("90d"), Contains("must be after the first submission and before the last"));
  CHECK_THAT(error_of("0%"), Contains("must be above 0 and below 100 %"));
  CHECK_THAT(error_of("12h"), Contains("leaves 24 jobs with a known wait before it and 1776 after it"));
  CHECK_THAT(error_of("1h"), Contains("tells the waits of 2 jobs"));
  const std::string other = files.folder.file("other.csv", record_of_queue());
  CHECK_THAT(
      stockout_says({"backtest", file, "--observed", other, "--strategy", "queued", "--split", "40d"}).err,
      Contains("is replayed by no source of"));
}
