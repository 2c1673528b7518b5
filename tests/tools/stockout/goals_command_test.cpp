// Several goals of a comparison, in the program.

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

// Two jobs of an hour, at noon of two days. On one machine the second waits for an hour. A machine costs
// $480, two cost $960.
constexpr const char* kScenario = R"({
 "name": "goals", "start": "2026-08-03", "window": "2d", "end": "window", "prices_as_of": "2026-07-30",
 "prices": [{"machine": "generic", "usd_per_hour": 10}],
 "workload": [
  {"name": "first", "schedule": {"at": "12:00"}, "machine": "generic", "work": "1h"},
  {"name": "second", "schedule": {"at": "12:00"}, "machine": "generic", "work": "1h"}],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 8}],
 "models": {"all": {"start_up": "0s"}},
 "reservations": [{"name": "small", "machine": "generic", "place": "generic", "count": 1},
                  {"name": "large", "machine": "generic", "place": "generic", "count": 2}],
 "goal": {"wait_p": 95, "at_most": "2h"},
 "strategies": [{"name": "one", "legs": [{"model": "reservation", "reservation": "small"}]},
                {"name": "two", "legs": [{"model": "reservation", "reservation": "large"}]}]
})";

const std::string kSecondSoon = R"({"class": "second", "wait_p": 95, "at_most": "30min"})";

class Goals {
 public:
  [[nodiscard]] Answer says(const std::string& goals, std::vector<std::string> more = {},
                            const std::string& command = "compare") const {
    std::vector<std::string> arguments{command, file_, "--set", "/goals=[" + goals + "]"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  }
  [[nodiscard]] nlohmann::json json(const std::string& goals) const {
    return nlohmann::json::parse(says(goals, {"--format", "json"}).out);
  }

 private:
  ScratchFolder folder_;
  std::string file_ = folder_.file("s.json", kScenario);
};

}  // namespace

TEST_CASE("Without further goals the cheaper way wins, and no table of goals is shown", "[compare][goals]") {
  const auto answer = Goals{}.json("");
  CHECK(answer["verdict"]["strategy"] == "one");
  CHECK_FALSE(answer.contains("goals"));
}

TEST_CASE("A strategy that misses the goal of one class is not the answer", "[compare][goals]") {
  const auto answer = Goals{}.json(kSecondSoon);
  CHECK(answer["verdict"]["kind"] == "cheapest_within_goal");
  CHECK(answer["verdict"]["strategy"] == "two");
  CHECK(
      answer["verdict"]["sentence"] ==
      "Cheapest under the goals (95 % of jobs start within 2h and complete; 95 % of second jobs start within "
      "30min and complete): \"two\" ($960; all goals met). No other strategy meets all goals.");
  REQUIRE(answer["goals"].size() == 2);
  CHECK(answer["goals_met"][0]["goal_1"]["mean"] == 1);
  CHECK(answer["goals_met"][0]["goal_2"]["mean"] == 0);
  CHECK(answer["goals_met"][1]["goal_2"]["mean"] == 1);
}

// By 95 points "one" misses its class, by 92 % of it "two" its budget.
TEST_CASE("Where every strategy misses a goal, the nearest and its goal are named", "[compare][goals]") {
  const auto verdict = Goals{}.json(kSecondSoon + R"(, {"budget_usd": 500})")["verdict"];
  CHECK(verdict["kind"] == "none_meets_goal");
  CHECK(verdict["strategy"] == "two");
  CHECK_THAT(verdict["sentence"].get<std::string>(),
             Contains("misses \"the cost is at most $500 on average\" ($960)"));
}

TEST_CASE("Tables say how far each goal is met, in every format", "[compare][goals]") {
  const Goals goals;
  CHECK_THAT(goals.says(kSecondSoon).out,
             Contains("2  95 % of second jobs start within 30min") && Contains("How far each goal is met"));
  CHECK_THAT(goals.says(kSecondSoon, {"--full"}).out, Contains("How far each goal is met"));
  CHECK_THAT(goals.says(kSecondSoon, {"--format", "markdown"}).out, Contains("How far each goal is met"));
  CHECK_THAT(goals.says(kSecondSoon, {"--format", "csv"}).out, Contains("goal_2,goal_2_plus_minus"));
  CHECK_THAT(goals.says(kSecondSoon, {}, "validate").out,
             Contains("goal: 95 % of second jobs start within 30min and complete"));
}

TEST_CASE("A recorded comparison and its break-even prices say that they are judged by one goal",
          "[compare][goals]") {
  const ScratchFolder folder;
  const Goals goals;
  const std::string record = folder.path("r.sqlite");
  const Answer answer = goals.says(kSecondSoon, {"--record", record, "--break-even"});
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Contains("These prices ask for `goal` alone"));
  CHECK_THAT(stockout_says({"price", record, "--format", "json"}).out,
             Contains("the other goals are not judged here"));
}

TEST_CASE("The page of a sweep says that it is judged by one goal", "[sweep][goals]") {
  const ScratchFolder folder;
  std::string scenario = kScenario;
  const std::string goal = R"("goal": )";
  scenario.insert(scenario.find(goal), R"("goals": [)" + kSecondSoon + "], ");
  (void)folder.file("s.json", scenario);
  const std::string sweep = folder.file(
      "sweep.json",
      R"({"name": "w", "scenario": "s.json", "vary": {"grid": [{"at": "/seed", "values": [1, 2]}]}})");
  const std::string store = folder.path("w.sqlite");
  REQUIRE(stockout_says({"sweep", sweep, "--store", store}).code == ExitCode::done);
  const std::string page = folder.path("w.html");
  REQUIRE(stockout_says({"report", store, "--output", page}).code == ExitCode::done);
  std::stringstream text;
  text << std::ifstream{page}.rdbuf();
  CHECK_THAT(text.str(),
             Contains("95 % of jobs start within 2h and complete; the other goals are not judged here"));
}
