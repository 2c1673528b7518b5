// `decide`, `goals` and what else a scenario says of a recommendation.

#include <catch2/catch.hpp>

#include "models/scenario/scenario.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

Scenario with_decisions(const std::string& decisions) {
  return ScenarioLoader{}.small({{"/decide", decisions}});
}

std::string error_of(const std::string& key, const std::string& value) {
  return error_in([&] { static_cast<void>(ScenarioLoader{}.small({{"/" + key, value}})); });
}

std::vector<std::string> texts_of(const DecisionVariable& decision) {
  std::vector<std::string> texts;
  for (const DecisionChoice& choice : decision.choices) texts.push_back(choice.text);
  return texts;
}

}  // namespace

TEST_CASE("A decision is a range of numbers, values, or choices of several places", "[decide]") {
  const Scenario scenario = with_decisions(R"([
    {"name": "count", "at": "/reservations/0/count", "from": 0, "to": 6, "step": 2},
    {"name": "start-up", "at": ["/models/all/start_up", "/strategies/0/legs/0/limit"], "values": [1.5, 2], "unit": "h"},
    {"name": "model", "choices": [{"name": "as it is", "set": {}},
                                  {"name": "spot", "set": {"/strategies/0/legs/0/model": "spot",
                                                           "/strategies/0/name": "other"}}]}])");
  const auto& decisions = scenario.decide.decisions;
  REQUIRE(decisions.size() == 3);
  CHECK(texts_of(decisions[0]) == std::vector<std::string>{"0", "2", "4", "6"});
  CHECK(*decisions[0].choices[3].changes[0].value.get<std::int64_t>() == 6);
  CHECK(texts_of(decisions[1]) == std::vector<std::string>{"1.5 h", "2 h"});
  REQUIRE(decisions[1].choices[0].changes.size() == 2);
  CHECK(*decisions[1].choices[0].changes[1].value.get<std::string>() == "5400000ms");
  CHECK(decisions[2].choices[0].changes.empty());
  CHECK(decisions[2].choices[1].changes[1].pointer == "/strategies/0/name");
}

TEST_CASE("A range of fractions has as many numbers as steps fit", "[decide]") {
  const Scenario scenario =
      with_decisions(R"([{"name": "x", "at": "/pools/0/gpus", "from": 0.1, "to": 0.3, "step": 0.1}])");
  CHECK(scenario.decide.decisions[0].choices.size() == 3);
}

TEST_CASE("A range of days goes from day to day, over the end of a month and a change of clocks",
          "[decide]") {
  const Scenario scenario = with_decisions(
      R"([{"name": "from which day", "at": "/reservations/0/from", "from": "2026-10-17", "to": "2026-11-02", "step": 7},
          {"name": "to", "at": "/reservations/0/until", "from": "2028-02-28", "to": "2028-03-01"}])");
  const auto& decisions = scenario.decide.decisions;
  CHECK(texts_of(decisions[0]) == std::vector<std::string>{"2026-10-17", "2026-10-24", "2026-10-31"});
  CHECK(texts_of(decisions[1]) == std::vector<std::string>{"2028-02-28", "2028-02-29", "2028-03-01"});
  CHECK(*decisions[0].choices[1].changes[0].value.get<std::string>() == "2026-10-24");
}

TEST_CASE("Goals of all kinds, and the terms of a recommendation, are read", "[decide]") {
  const Scenario scenario = ScenarioLoader{}.small(
      {{"/goals", R"([{"at_most": "2h", "wait_p": 90, "class": "jobs"}, {"deadlines_p": 99},
                      {"completed_p": 100}, {"budget_usd": 5000}])"},
       {"/indifference_usd", "250"},
       {"/undone_usd_per_gpu_h", "3"},
       {"/most_obligation", "3y"}});
  REQUIRE(scenario.goals.size() == 4);
  CHECK(scenario.goals[0].kind == Goal::Kind::starts);
  CHECK(scenario.goals[0].least == 0.9);
  CHECK(scenario.goals[0].at_most == 2h);
  CHECK(scenario.goals[0].job_class == ClassId{0});
  CHECK(scenario.goals[1].kind == Goal::Kind::meets_deadlines);
  CHECK(scenario.goals[2].kind == Goal::Kind::completes);
  CHECK(scenario.goals[2].least == 1);
  CHECK(scenario.goals[3].budget_usd == 5000);
  CHECK(scenario.decide.indifference_usd == 250);
  CHECK(scenario.decide.undone_usd_per_gpu_h == 3);
  CHECK(scenario.decide.longest_obligation == SimDuration{std::chrono::days{1095}});
}

TEST_CASE("What cannot be decided is an error that says why", "[decide]") {
  const auto [decisions, message] = GENERATE(table<std::string, std::string>({
      {R"([{"name": "x", "at": "/pools/0/gpus", "from": 4, "to": 2}])",
       "/decide/0/to: must be at least `from`, 4, but is 2"},
      {R"([{"name": "x", "at": "/pools/0/gpus", "from": 0, "to": 5000}])", "makes more than 1000 numbers"},
      {R"([{"name": "x", "at": "/pools/0/gpus", "from": 0}])", "\"to\""},
      {R"([{"name": "x", "at": "/pools/0/gpus", "from": "2026-08-03", "to": 4}])",
       "/decide/0/to: a number cannot be combined with \"from\" that is a date: both ends of a range are days"},
      {R"([{"name": "x", "at": "/pools/0/gpus", "from": 4, "to": "2026-08-03"}])",
       "/decide/0/to: a date cannot be combined with \"from\" that is a number"},
      {R"([{"name": "x", "at": "/pools/0/gpus", "from": "2026-08-03", "to": "2026-08-02"}])",
       "/decide/0/to: must be at least `from`, \"2026-08-03\", but is \"2026-08-02\""},
      {R"([{"name": "x", "at": "/pools/0/gpus", "from": "2026-08-03", "to": "2026-08-05", "step": 0.5}])",
       "/decide/0/step: must be a whole number of days, but is 0.5"},
      {R"([{"name": "x", "at": "/pools/0/gpus", "from": "2026-08-03", "to": "2026-08-05", "unit": "d"}])",
       "/decide/0/unit: cannot be combined with \"from\" that is a date: units are of numbers"},
      {R"([{"name": "x", "at": "/pools/0/gpus", "from": "2026-08-03", "to": "2126-08-05"}])",
       "makes more than 1000 days"},
      {R"([{"name": "x", "from": 0, "to": 1}])", "\"at\""},
      {R"([{"name": "x", "at": "/pools/0/gpus"}])", " is missing"},
      {R"([{"name": "x", "at": "pools", "values": [1]}])", "must be a JSON pointer"},
      {R"([{"name": "", "at": "/pools/0/gpus", "values": [1]}])", "/decide/0/name: must not be empty"},
      {R"([{"name": "x", "at": "/pools/0/gpus", "values": [1, 1]}])", "has two choices that read \"1\""},
      {R"([{"name": "x", "at": "/pools/0/gpus", "values": ["4"], "unit": "h"}])",
       "its values must be numbers from 0 to"},
      {R"([{"name": "x", "at": "/decide/0/name", "values": ["y"]}])",
       "changes /decide/0/name, which no purchase decides"},
      {R"([{"name": "x", "at": "/pools/0/gpus", "values": [1]}, {"name": "x", "at": "/pools/0/name", "values": ["a"]}])",
       "/decide/1/name: is there twice"},
      {R"([{"name": "x", "at": "/seed", "values": [1, 2]}])", "changes /seed, which no purchase decides"},
      {R"([{"name": "x", "at": "/pools/0/tenants/load", "values": [1, 2]}])",
       "changes /pools/0/tenants/load, which no purchase decides"},
      {R"([{"name": "x", "at": "/workload/0/schedule/at", "values": ["10:00"]}])",
       "changes /workload/0/schedule/at"},
      {R"([{"name": "x", "at": "/workload/0/nodes", "values": [1, 2]}])",
       "/decide/0: changes /workload/0/nodes: jobs are given, not bought"},
      {R"([{"name": "x", "at": "/workload/0/deadline", "values": ["1h"]}])",
       "changes /workload/0/deadline: jobs"},
      {R"([{"name": "x", "at": "/workload/-", "values": [{}]}])", "changes /workload/-: jobs are given"},
      {R"([{"name": "x", "at": "/workload", "values": [[]]}])",
       "Of a source begins_anyway, checkpoint, failure_policy, gpu, job_set, machine, parallel, priority, retry may"},
      {R"([{"name": "x", "at": "/pools/0/gpus", "values": [1]}, {"name": "y", "at": "/pools/0/gpus", "values": [2]}])",
       "\"x\" and \"y\" both change /pools/0/gpus"},
      {R"([{"name": "x", "at": "/pools/0/gpus", "values": [1]}, {"name": "y", "at": "/pools", "values": [[]]}])",
       "\"x\" changes /pools/0/gpus, within /pools that \"y\" changes"},
  }));
  CAPTURE(decisions);
  CHECK_THAT(error_of("decide", decisions), Catch::Contains(message));
}

TEST_CASE("How jobs are run may be decided, and which of them a leg takes", "[decide]") {
  const std::string at = GENERATE("/workload/0/checkpoint/every", "/workload/0/priority",
                                  "/workload/0/machine", "/strategies/0/legs/0/classes");
  CHECK(error_of("decide", R"([{"name": "x", "at": ")" + at + R"(", "values": ["y"]}])").empty());
}

TEST_CASE("Goals that cannot be are errors", "[decide]") {
  const auto [goals, message] = GENERATE(table<std::string, std::string>({
      {R"([{}])", " is missing"},
      {R"([{"at_most": "2h", "completed_p": 9}])", "cannot go together"},
      {R"([{"completed_p": 99, "class": "nobody"}])", "there is no job class \"nobody\""},
      {R"([{"completed_p": 99, "wait_p": 9}])", "wait_p"},
      {R"([{"budget_usd": 5, "class": "jobs"}])", "class"},
      {R"([{"budget_usd": 0}])", "budget_usd"},
      {R"([{"deadlines_p": 101}])", "deadlines_p"},
  }));
  CAPTURE(goals);
  CHECK_THAT(error_of("goals", goals), Catch::Contains(message));
}

TEST_CASE("A reservation of no machines is as if it were not there", "[decide][held]") {
  const std::string legs =
      R"([{"model": "reservation", "reservation": "held", "limit": "0s"}, {"model": "on_demand"}])";
  const Scenario scenario =
      ScenarioLoader{}.small({{"/reservations/0/count", "0"}, {"/strategies/0/legs", legs}});
  const Strategy& strategy = scenario.world.strategies[0];
  CHECK(strategy.held.empty());
  CHECK(strategy.legs[0].label == "reservation held");
  CHECK(strategy.legs[0].candidates[0].empty());
  CHECK_FALSE(strategy.legs[1].candidates[0].empty());
}
