// How strategies stand to several goals, with their noise.

#include <catch2/catch.hpp>

#include "models/experiment/recommended.h"
#include "models/experiment/standing.h"
#include "models/experiment/verdict.h"

using namespace stockout;

namespace {

const AskedGoal kDeadlines{.goal = {.kind = Goal::Kind::meets_deadlines, .least = 0.9, .job_class = {}},
                           .text = "90 % of jobs meet their deadline"};
const AskedGoal kBudget{.goal = {.kind = Goal::Kind::budget, .budget_usd = 150, .job_class = {}},
                        .text = "at most $150"};

// By replication: the cost, and the share of deadlines met.
StrategyResult strategy(const std::string& name, const std::vector<double>& costs,
                        const std::vector<std::optional<double>>& deadlines) {
  std::vector<Measures> runs;
  for (std::size_t r = 0; r < costs.size(); ++r) {
    Measures run;
    run.drew = true;
    run.total.set(Measure::cost, costs[r]);
    run.total.set(Measure::jobs, 10);
    run.total.set(Measure::completed, 10);
    run.total.set(Measure::work_done_share, 1);
    run.goals.push_back({.value = deadlines[r] ? Value::exact(*deadlines[r]) : Value{}, .jobs = 10});
    run.goals.push_back({.value = Value::exact(costs[r]), .jobs = 0});
    runs.push_back(run);
  }
  return summarize_runs(name, runs);
}

Comparison comparison_of(std::vector<StrategyResult> strategies) {
  Comparison comparison;
  comparison.replications = strategies.front().replications;
  comparison.strategies = std::move(strategies);
  comparison.goals = {kDeadlines, kBudget};
  return comparison;
}

}  // namespace

// Student's t with two degrees of freedom is 4.303. So 0.95 +- 0.0248 is sure to be 0.9 or more, and 110 +-
// 24.8 below 150; 140 +- 24.8 may be above.
TEST_CASE("A goal is reached surely if the whole interval reaches it, a budget from above",
          "[verdict][goals]") {
  const Comparison comparison = comparison_of({strategy("sure", {100, 110, 120}, {0.94, 0.95, 0.96}),
                                               strategy("near", {130, 140, 150}, {0.80, 0.89, 0.95}),
                                               strategy("dear", {200, 200, 200}, {1, 1, 1})});
  const Standings standings{comparison, std::nullopt};
  CHECK(standings[0].surely_qualifies());
  CHECK_FALSE(standings[1].goals[0].reaches.on_average);
  CHECK(standings[1].goals[0].reaches.may);
  CHECK(standings[1].goals[1].reaches.on_average);
  CHECK_FALSE(standings[1].goals[1].reaches.surely);
  CHECK(standings[1].may_qualify());
  CHECK_FALSE(standings[1].qualifies());
  CHECK(standings[2].goals[0].reaches.surely);
  CHECK_FALSE(standings[2].may_qualify());
  CHECK(judge(comparison, std::nullopt, "").strategy == 0);
}

TEST_CASE("A winner that meets a goal only within the noise is doubtful, and the goal is named",
          "[verdict][goals]") {
  const Verdict verdict =
      judge(comparison_of({strategy("near", {110, 110, 110}, {0.85, 0.91, 0.97})}), std::nullopt, "");
  CHECK(verdict.kind == Verdict::Kind::undecided);
  CHECK_THAT(verdict.sentence,
             Catch::Contains("but \"90 % of jobs meet their deadline\" (91.0 % ± 14.9) is met "
                             "only within the noise"));
}

TEST_CASE("A goal about no job leaves the verdict undecided, whatever else is met", "[verdict][goals]") {
  const Verdict verdict =
      judge(comparison_of({strategy("one", {100, 100, 100}, {{}, {}, {}})}), std::nullopt, "");
  CHECK(verdict.kind == Verdict::Kind::undecided);
  CHECK(verdict.sentence ==
        "Undecided: the goal (90 % of jobs meet their deadline) is about no job of this run.");
}

// "near" costs 5 more than "sure" by paired differences of -20, 5 and 30: +- 62 (sd 25, t 4.303).
TEST_CASE("The recommended is the cheapest that meets all goals, and what chance allows is named",
          "[verdict][goals]") {
  const Comparison apart = comparison_of({strategy("dear", {200, 200, 200}, {1, 1, 1}),
                                          strategy("sure", {100, 100, 100}, {1, 1, 1}),
                                          strategy("late", {50, 50, 50}, {0.2, 0.2, 0.2})});
  const Recommended one = recommended(apart, std::nullopt);
  CHECK(one.strategy == std::size_t{1});
  CHECK(one.is_sure);
  CHECK(one.may_be.empty());
  CHECK_FALSE(one.may_be_none);

  const Comparison near = comparison_of(
      {strategy("sure", {120, 100, 80}, {1, 1, 1}), strategy("near", {100, 105, 110}, {1, 1, 1})});
  const Recommended either = recommended(near, std::nullopt);
  CHECK(either.strategy == std::size_t{0});
  CHECK_FALSE(either.is_sure);
  CHECK(either.may_be == std::vector<std::size_t>{1});

  const Comparison doubtful = comparison_of({strategy("near", {110, 110, 110}, {0.85, 0.91, 0.97})});
  CHECK(recommended(doubtful, std::nullopt).may_be_none);
  const Comparison none = comparison_of({strategy("late", {50, 50, 50}, {0.2, 0.2, 0.2})});
  CHECK_FALSE(recommended(none, std::nullopt).strategy);
  CHECK(recommended(none, std::nullopt).is_sure);
}
