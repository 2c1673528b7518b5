// Verdicts: which strategy, and how sure. Each strategy is given by its cost and its share in time and
// its share of the work done per replication.

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
  std::vector<double> work_done = {};  // by replication; empty: all of it
};

constexpr double kNoJob = -1;  // as a share: the goal is about no job in this replication

Measures measures_of(const Given& given, std::size_t replication) {
  Measures measures;
  measures.drew = given.drew;
  measures.total.set(Measure::cost, given.costs[replication]);
  if (!given.in_time.empty() && given.in_time[replication] != kNoJob) {
    measures.total.set(Measure::goal_met_share, given.in_time[replication]);
  }
  const double done = given.work_done.empty() ? 1 : given.work_done[replication];
  measures.total.set(Measure::jobs, 100);
  measures.total.set(Measure::completed, 100 * done);
  measures.total.set(Measure::work_done_share, done);
  measures.total.set(Measure::wait_p95, 2.5);
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
               "90 % of jobs start within 4h and complete");
}

}  // namespace

TEST_CASE("The cheapest strategy that meets the goal wins over a cheaper one that does not", "[verdict]") {
  const Verdict verdict = verdict_of({{"cheap", {100, 101, 102}, {0.5, 0.5, 0.5}},
                                      {"good", {200, 201, 202}, {0.95, 0.96, 0.97}},
                                      {"dear", {300, 301, 302}, {1, 1, 1}}});
  CHECK(verdict.kind == Verdict::Kind::cheapest_within_goal);
  CHECK(verdict.strategy == 1);
  CHECK_THAT(verdict.sentence,
             Catch::Contains(
                 "Cheapest under the goal (90 % of jobs start within 4h and complete): \"good\" ($201") &&
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
  CHECK_THAT(verdict.sentence, Catch::StartsWith("Undecided") && Catch::Contains("\"two\" costs $2.00 ±") &&
                                   Catch::Contains("more, which may be chance"));
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
  CHECK_THAT(
      verdict.sentence,
      Catch::Contains("\"lucky\" meets it on average ($100; 90.0 % ± 43.0 do), but only within the noise."));
}

TEST_CASE("A cheaper strategy that may meet the goal after all leaves it undecided", "[verdict]") {
  const Verdict verdict =
      verdict_of({{"sure", {200, 200, 200}, {1, 1, 1}}, {"perhaps", {100, 100, 100}, {0.8, 0.9, 0.95}}});
  CHECK(verdict.kind == Verdict::Kind::undecided);
  CHECK(verdict.strategy == 0);
  CHECK_THAT(verdict.sentence,
             Catch::Contains("\"sure\" is the cheapest that meets it on average ($200; 100.0 % do), but "
                             "\"perhaps\" costs $100 less, and may meet it too (88.3 % ± 19.0)."));
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
  CHECK_THAT(verdict.sentence, Catch::Contains("\"slow\" costs the same (95.3 % ± 1.4 do)"));
}

TEST_CASE("Nobody chooses by a thousandth of the cost", "[verdict]") {
  const Verdict same = verdict_of(
      {{"one", {10'000, 10'100, 9'900}, {1, 1, 1}}, {"other", {10'001, 10'100, 9'901}, {1, 1, 1}}});
  CHECK(same.kind == Verdict::Kind::cheapest_within_goal);
  CHECK(same.strategy == 0);
  CHECK_THAT(same.sentence, Catch::Contains("\"other\" costs the same"));
  const Verdict open = verdict_of(
      {{"one", {10'000, 10'100, 9'900}, {1, 1, 1}}, {"other", {10'040, 10'100, 9'880}, {1, 1, 1}}});
  CHECK(open.kind == Verdict::Kind::undecided);
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

TEST_CASE("Without a goal the cheapest of those that do the same work is named, and what it gives",
          "[verdict]") {
  const Verdict verdict = verdict_of({{"little", {50, 50, 50}, {}, true, {0.46, 0.46, 0.46}},
                                      {"good", {100, 100, 100}, {}, true, {0.995, 0.995, 0.995}},
                                      {"dear", {300, 300, 300}, {}}},
                                     false);
  CHECK(verdict.kind == Verdict::Kind::cheapest);
  CHECK(verdict.strategy == 1);
  CHECK(verdict.sentence ==
        "Cheapest for the same work: \"good\" ($100; 95 % of jobs start within 2.5 h; 99.5 % of the work "
        "done). Next: \"dear\", $200 more. Cheaper only by getting less of the work done: \"little\" "
        "($50.00, 46.0 % of it). There is no wait goal, so that the wait does not count here.");
}

TEST_CASE("A strategy that runs nothing is not cheapest at no cost", "[verdict]") {
  const Verdict verdict = verdict_of(
      {{"nothing", {0, 0}, {}, true, {0, 0}}, {"something", {100, 100}, {}, true, {0.3, 0.3}}}, false);
  CHECK(verdict.strategy == 1);
  CHECK_THAT(verdict.sentence, Catch::StartsWith("Cheapest for the same work: \"something\" ($100; ") &&
                                   Catch::Contains("30.0 % of the work done") &&
                                   Catch::Contains("\"nothing\" ($0.00, 0.0 % of it)"));
}

TEST_CASE("If no strategy completes a job, costs say nothing", "[verdict]") {
  const std::vector<Given> idle{{"one", {0}, {0}, false, {0}}, {"two", {7}, {0}, false, {0}}};
  for (const bool goal : {false, true}) {
    const Verdict verdict = verdict_of(idle, goal);
    CHECK(verdict.kind == Verdict::Kind::undecided);
    CHECK(verdict.sentence ==
          "Undecided: no strategy completes a job in the window, so that costs say nothing.");
  }
}

TEST_CASE("Under a goal, too, what is cheaper by less work is reported and not recommended", "[verdict]") {
  // The jobs that "little" leaves undone are few and long: nine of ten start in time and are completed.
  const Verdict verdict = verdict_of({{"little", {50, 51, 52}, {0.92, 0.92, 0.92}, true, {0.5, 0.5, 0.5}},
                                      {"all", {90, 91, 92}, {1, 1, 1}}});
  CHECK(verdict.kind == Verdict::Kind::cheapest_within_goal);
  CHECK(verdict.strategy == 1);
  CHECK_THAT(
      verdict.sentence,
      Catch::Contains("No other strategy meets the goal with as much of the work done.") &&
          Catch::Contains("Cheaper only by getting less of the work done: \"little\" ($51.00, 50.0 %"));
}

TEST_CASE("If one meets the goal and another does the work, none does both", "[verdict]") {
  const Verdict verdict = verdict_of({{"quick", {50, 50, 50}, {0.95, 0.95, 0.95}, true, {0.4, 0.4, 0.4}},
                                      {"thorough", {90, 90, 90}, {0.6, 0.6, 0.6}, true, {0.98, 0.98, 0.98}}});
  CHECK(verdict.kind == Verdict::Kind::none_meets_goal);
  CHECK(verdict.strategy == 1);
  CHECK_THAT(verdict.sentence,
             Catch::StartsWith("No strategy meets the goal") &&
                 Catch::Contains("Nearest: \"thorough\" ($90.00; 60.0 % do; 98.0 % of the work done)") &&
                 Catch::Contains("\"quick\" meets the goal by getting less of the work done"));
}

TEST_CASE("How much work is the same work can be chosen", "[verdict]") {
  const Comparison both =
      comparison_of({{"most", {50, 50}, {1, 1}, true, {0.9, 0.9}}, {"all", {90, 90}, {1, 1}, true, {1, 1}}});
  WaitGoal goal{.quantile = 0.9, .at_most = std::chrono::hours{4}, .job_class = std::nullopt};
  CHECK(judge(both, goal, "").strategy == 1);
  goal.same_work = 0.9;
  const Verdict verdict = judge(both, goal, "");
  CHECK(verdict.strategy == 0);
  CHECK_THAT(verdict.sentence, Catch::Contains("\"most\" ($50.00; 100.0 % do; 90.0 % of the work done)"));
}

TEST_CASE("A difference in work that may be chance leaves it undecided", "[verdict]") {
  const Verdict verdict =
      verdict_of({{"cheap", {50, 50, 50}, {}, true, {0.9, 1, 1}}, {"dear", {90, 90, 90}, {}}}, false);
  CHECK(verdict.kind == Verdict::Kind::undecided);
  CHECK(verdict.strategy == 1);
  CHECK_THAT(
      verdict.sentence,
      Catch::Contains("\"dear\" is the cheapest on average for the same work ($90.00; 95 % of jobs start "
                      "within 2.5 h), but \"cheap\" costs $40.00 less, and may get as much work done (96.7 % "
                      "± 14.3 of the work done)."));
}

TEST_CASE("Work that varies from replication to replication, the same for all, is no doubt", "[verdict]") {
  const Verdict verdict = verdict_of(
      {{"cheap", {50, 50, 50}, {}, true, {0.2, 1, 1}}, {"dear", {90, 90, 90}, {}, true, {0.2, 1, 1}}}, false);
  CHECK(verdict.kind == Verdict::Kind::cheapest);
  CHECK(verdict.strategy == 0);
}

TEST_CASE("A replication without a job of the goal's class is left out and reported", "[verdict]") {
  const Verdict verdict =
      verdict_of({{"one", {100, 101, 102}, {1, kNoJob, 1}}, {"two", {200, 201, 202}, {0.5, kNoJob, 0.5}}});
  CHECK(verdict.kind == Verdict::Kind::cheapest_within_goal);
  CHECK(verdict.strategy == 0);
  CHECK_THAT(
      verdict.sentence,
      Catch::Contains("In 1 of 3 replications no job is one the goal is about: they are left out of it."));
}

TEST_CASE("Held capacity that came late is reported with the winner", "[verdict]") {
  Comparison comparison = comparison_of({{"reserved", {100, 100}, {1, 1}}});
  Summary& late = comparison.strategies[0].total[Measure::held_late];
  late = {.mean = 77, .half_width = 3, .known = Value::Known::exact, .replications = 2};
  const WaitGoal goal{.quantile = 0.9, .at_most = std::chrono::hours{4}, .job_class = std::nullopt};
  CHECK_THAT(judge(comparison, goal, "").sentence,
             Catch::EndsWith("Its held capacity came 77.0 h late on average."));
  late.known = Value::Known::at_least;
  CHECK_THAT(judge(comparison, goal, "").sentence, Catch::EndsWith("and did not always come."));
  late = {.mean = 0, .half_width = 0, .known = Value::Known::exact, .replications = 2};
  CHECK_THAT(judge(comparison, goal, "").sentence, !Catch::Contains("held capacity"));
}

TEST_CASE("A wait that is a bound is no time: the share that never starts is reported", "[verdict]") {
  Comparison comparison = comparison_of({{"spot", {100, 100}, {}}});
  comparison.strategies[0].total[Measure::wait_p95] = {
      .mean = 0, .half_width = {}, .known = Value::Known::at_least};
  comparison.strategies[0].total[Measure::never_started_share] = {
      .mean = 0.34, .half_width = {}, .known = Value::Known::exact};
  CHECK(judge(comparison, std::nullopt, "").sentence ==
        "The only strategy: \"spot\" ($100; 34.0 % of jobs never start).");
  comparison.strategies[0].total[Measure::wait_p95] = {
      .mean = 0, .half_width = 0, .known = Value::Known::exact};
  CHECK_THAT(judge(comparison, std::nullopt, "").sentence, Catch::Contains("95 % of jobs start at once"));
  comparison.strategies[0].total[Measure::wait_p95].mean = 0.19;
  CHECK_THAT(judge(comparison, std::nullopt, "").sentence,
             Catch::Contains("95 % of jobs start within 12 min"));
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
  RunningSummaries none;
  none.add(Values{});
  CHECK(none.result()[Measure::wait_p95].is_absent());
  RunningSummaries some;
  for (const Values& values : {known, bound, Values{}}) some.add(values);
  const Summary summary = some.result()[Measure::wait_p95];
  CHECK(summary.mean == 2);
  CHECK(summary.known == Value::Known::at_least);
  CHECK(summary.replications == 2);
  CHECK_FALSE(summary.half_width.has_value());
}

TEST_CASE("A comparison of nothing is our mistake", "[verdict]") {
  CHECK_THROWS_AS(judge(Comparison{}, std::nullopt, ""), InvariantError);
}

TEST_CASE("A strategy under which a class never runs is never the answer", "[verdict]") {
  const WaitGoal goal{.quantile = 0.9, .at_most = std::chrono::hours{4}, .job_class = std::nullopt};
  Comparison comparison = comparison_of({{"cheap", {50, 50}, {1, 1}}, {"dear", {90, 90}, {1, 1}}});
  comparison.strategies[0].never_ran = {"training"};
  const Verdict verdict = judge(comparison, goal, "");
  CHECK(verdict.kind == Verdict::Kind::cheapest_within_goal);
  CHECK(verdict.strategy == 1);
  CHECK_THAT(
      verdict.sentence,
      Catch::Contains("Cheaper, but no answer: \"cheap\" (no job of class \"training\" ever starts)."));
  CHECK(judge(comparison, std::nullopt, "").strategy == 1);

  comparison.strategies[1].never_ran = {"search"};
  const Verdict none = judge(comparison, goal, "");
  CHECK(none.kind == Verdict::Kind::class_never_runs);
  CHECK_THAT(none.sentence, Catch::StartsWith("No answer: under every strategy some class never runs.") &&
                                Catch::EndsWith("No job of class \"training\" ever starts."));

  comparison.strategies.erase(comparison.strategies.begin());  // that meets the goal
  const Verdict only = judge(comparison, goal, "");
  CHECK(only.kind == Verdict::Kind::class_never_runs);
  CHECK_THAT(only.sentence, Catch::StartsWith("No answer: under the only strategy some class never runs.") &&
                                Catch::EndsWith("No job of class \"search\" ever starts."));
}

TEST_CASE("The same work is that of the most complete strategy that runs every class", "[verdict]") {
  Comparison comparison = comparison_of(
      {{"without trainings", {50, 50}, {}, false, {1, 1}}, {"slow", {90, 90}, {}, false, {0.5, 0.5}}});
  comparison.strategies[0].never_ran = {"training"};
  const Verdict verdict = judge(comparison, std::nullopt, "");
  CHECK(verdict.kind == Verdict::Kind::cheapest);
  CHECK(verdict.strategy == 1);
}

TEST_CASE("A class never ran if jobs of it came and none started in any replication", "[verdict]") {
  Measures first = measures_of({"one", {1}, {}}, 0);
  Measures second = first;
  first.classes = {{.jobs = 2, .started = 0}, {.jobs = 1, .started = 0}, {.jobs = 0, .started = 0}};
  second.classes = {{.jobs = 2, .started = 0}, {.jobs = 1, .started = 1}, {.jobs = 0, .started = 0}};
  StrategyReduction reduction{"one"};
  reduction.add(first);
  reduction.add(second);
  CHECK(reduction.finish({{.name = "a"}, {.name = "b"}, {.name = "c"}}).never_ran ==
        std::vector<std::string>{"a"});
}
