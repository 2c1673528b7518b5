// Verdicts: which strategy, and how sure. Each strategy is given by its cost and its share in time per
// replication.

#include <catch2/catch.hpp>

#include "models/experiment/verdict.h"
#include "sim/core/check.h"

using namespace stockout;

namespace {

struct Given {
  std::string name;
  std::vector<double> costs;
  std::vector<double> in_time;  // empty: there is no goal, or it is about no job
  bool drew = true;
  double completed = 100;  // of 100 jobs
};

Measures measures_of(const Given& given, std::size_t replication) {
  Measures measures;
  measures.drew = given.drew;
  measures.total.set(Measure::cost, given.costs[replication]);
  if (!given.in_time.empty()) measures.total.set(Measure::within_goal_share, given.in_time[replication]);
  measures.total.set(Measure::jobs, 100);
  measures.total.set(Measure::completed, given.completed);
  measures.total[Measure::wait_p95] = Value::at_least(2.5);
  measures.total[Measure::wait_mean] =
      Value::exact(given.in_time.empty() ? 1 : 1 - given.in_time[replication]);
  return measures;
}

Comparison comparison_of(const std::vector<Given>& strategies) {
  Comparison comparison;
  for (const Given& given : strategies) {
    std::vector<Measures> runs;
    for (std::size_t r = 0; r < given.costs.size(); ++r) runs.push_back(measures_of(given, r));
    comparison.strategies.push_back(summarize_runs(given.name, runs));
    comparison.replications = std::max(comparison.replications, runs.size());
  }
  return comparison;
}

Verdict verdict_of(const std::vector<Given>& strategies, bool goal = true) {
  const WaitGoal ninety{.quantile = 0.9, .at_most = std::chrono::hours{4}, .job_class = std::nullopt};
  return judge(comparison_of(strategies), goal ? std::optional{ninety} : std::nullopt,
               "90 % of jobs start within 4h");
}

}  // namespace

TEST_CASE("The cheapest strategy that meets the goal wins over a cheaper one that does not", "[verdict]") {
  const Verdict verdict = verdict_of({{"cheap", {100, 101, 102}, {0.5, 0.5, 0.5}},
                                      {"good", {200, 201, 202}, {0.95, 0.96, 0.97}},
                                      {"dear", {300, 301, 302}, {1, 1, 1}}});
  CHECK(verdict.kind == Verdict::Kind::cheapest_within_goal);
  CHECK(verdict.strategy == 1);
  CHECK_THAT(verdict.sentence,
             Catch::Contains("Cheapest under the goal (90 % of jobs start within 4h): \"good\" ($201") &&
                 Catch::Contains("Next: \"dear\", $100 more."));
}

TEST_CASE("If none meets the goal the nearest is named", "[verdict]") {
  const Verdict verdict =
      verdict_of({{"far", {100, 100, 100}, {0.1, 0.1, 0.1}}, {"near", {200, 200, 200}, {0.8, 0.8, 0.8}}});
  CHECK(verdict.kind == Verdict::Kind::none_meets_goal);
  CHECK(verdict.strategy == 1);
  CHECK_THAT(verdict.sentence,
             Catch::StartsWith("No strategy meets the goal") && Catch::Contains("Nearest: \"near\""));
}

TEST_CASE("A difference smaller than its noise is undecided", "[verdict]") {
  const Verdict verdict =
      verdict_of({{"one", {100, 120, 110}, {1, 1, 1}}, {"two", {101, 110, 125}, {1, 1, 1}}});
  CHECK(verdict.kind == Verdict::Kind::undecided);
  CHECK_THAT(verdict.sentence, Catch::StartsWith("Undecided") && Catch::Contains("\"two\" costs $2.00 ±"));
}

TEST_CASE("A small difference that is the same in every replication is decided", "[verdict]") {
  // The means are 200 apart from replication to replication, the difference is always 1.
  const Verdict verdict =
      verdict_of({{"one", {100, 300, 500}, {1, 1, 1}}, {"two", {101, 301, 501}, {1, 1, 1}}});
  CHECK(verdict.kind == Verdict::Kind::cheapest_within_goal);
  CHECK(verdict.strategy == 0);
}

TEST_CASE("Meeting the goal only within the noise is undecided", "[verdict]") {
  const Verdict verdict = verdict_of({{"lucky", {100, 100, 100}, {0.7, 1.0, 1.0}}});
  CHECK(verdict.kind == Verdict::Kind::undecided);
  CHECK_THAT(verdict.sentence, Catch::Contains("meets the goal only within the noise"));
}

TEST_CASE("A cheaper strategy that may meet the goal after all leaves it undecided", "[verdict]") {
  const Verdict verdict =
      verdict_of({{"sure", {200, 200, 200}, {1, 1, 1}}, {"perhaps", {100, 100, 100}, {0.8, 0.9, 0.95}}});
  CHECK(verdict.kind == Verdict::Kind::undecided);
  CHECK(verdict.strategy == 0);
  CHECK_THAT(verdict.sentence, Catch::Contains("\"perhaps\" costs $100 ± 0 less and may meet it too"));
}

TEST_CASE("If none meets the goal on average but one may, it is undecided", "[verdict]") {
  const Verdict verdict = verdict_of({{"perhaps", {100, 100, 100}, {0.8, 0.9, 0.95}}});
  CHECK(verdict.kind == Verdict::Kind::undecided);
  CHECK_THAT(verdict.sentence, Catch::Contains("the noise leaves it open"));
}

TEST_CASE("Of two that always cost the same, the one with the shorter wait is named, and the other beside it",
          "[verdict]") {
  const Verdict verdict =
      verdict_of({{"slow", {100, 120, 110}, {0.95, 0.95, 0.96}}, {"fast", {100, 120, 110}, {1, 1, 1}}});
  CHECK(verdict.kind == Verdict::Kind::cheapest_within_goal);
  CHECK(verdict.strategy == 1);
  CHECK_THAT(verdict.sentence, Catch::Contains("\"slow\" costs the same, 95.3 %"));
}

TEST_CASE("A share that is exactly the goal meets it", "[verdict]") {
  CHECK(verdict_of({{"exact", {1, 1, 1}, {0.9, 0.9, 0.9}}}).kind == Verdict::Kind::cheapest_within_goal);
}

TEST_CASE("One replication has no interval, and the verdict says so", "[verdict]") {
  const Verdict verdict = verdict_of({{"one", {100}, {1}}, {"two", {101}, {1}}});
  CHECK(verdict.kind == Verdict::Kind::cheapest_within_goal);
  CHECK_THAT(verdict.sentence, Catch::Contains("One replication only: no interval") && !Catch::Contains("±"));
}

TEST_CASE("A world that draws nothing needs no interval", "[verdict]") {
  const Verdict verdict = verdict_of({{"one", {100}, {1}, false}, {"two", {101}, {1}, false}});
  CHECK_THAT(verdict.sentence, !Catch::Contains("One replication only"));
}

TEST_CASE("A strategy that draws nothing is compared with each replication of one that does", "[verdict]") {
  const Verdict verdict = verdict_of({{"fixed", {100}, {1}, false}, {"random", {99, 140, 130}, {1, 1, 1}}});
  CHECK(verdict.kind == Verdict::Kind::undecided);
  CHECK(verdict.strategy == 0);
}

TEST_CASE("Without a goal the cheapest in all is named with what it gives", "[verdict]") {
  const Verdict verdict =
      verdict_of({{"cheap", {100, 100, 100}, {}, true, 80}, {"dear", {300, 300, 300}, {}}}, false);
  CHECK(verdict.kind == Verdict::Kind::cheapest);
  CHECK_THAT(verdict.sentence,
             Catch::StartsWith(
                 "Cheapest: \"cheap\" ($100, 95 % of jobs start within > 2.5 h, 80.0 % of jobs complete)") &&
                 Catch::Contains("There is no wait goal"));
}

TEST_CASE("A goal that is about no job decides nothing", "[verdict]") {
  const Verdict verdict = verdict_of({{"one", {100, 100}, {}}});
  CHECK(verdict.kind == Verdict::Kind::undecided);
  CHECK_THAT(verdict.sentence, Catch::Contains("is about no job"));
}

TEST_CASE("A measure that is a bound in one replication is a bound in the mean", "[verdict]") {
  Values known;
  known.set(Measure::wait_p95, 1);
  Values bound;
  bound[Measure::wait_p95] = Value::at_least(3);
  Values none;
  const Summary summary = summarize({&known, &bound, &none})[Measure::wait_p95];
  CHECK(summary.mean == 2);
  CHECK(summary.known == Value::Known::at_least);
  CHECK_FALSE(summary.half_width.has_value());
  CHECK(summarize({&none})[Measure::wait_p95].is_absent());
}

TEST_CASE("A comparison of nothing is our mistake", "[verdict]") {
  CHECK_THROWS_AS(judge(Comparison{}, std::nullopt, ""), InvariantError);
}
