// What alternatives do to a verdict, and between what measures lie. Strategies are given by their cost and
// their share in the goal, per replication.

#include <catch2/catch.hpp>

#include "models/assumptions/assumption_band.h"
#include "models/assumptions/world_band.h"

using namespace stockout;

namespace {

const std::optional<WaitGoal> kNinety =
    WaitGoal{.quantile = 0.9, .at_most = std::chrono::hours{4}, .job_class = std::nullopt};

struct Given {
  std::string name;
  std::vector<double> costs;
  double in_goal = 1;
  Value wait = Value::exact(1);
};

Comparison comparison_of(const std::vector<Given>& strategies) {
  Comparison comparison;
  comparison.replications = 3;
  for (const Given& given : strategies) {
    std::vector<Measures> runs(given.costs.size());
    for (std::size_t r = 0; r < runs.size(); ++r) {
      runs[r].drew = true;
      runs[r].total.set(Measure::jobs, 100);
      runs[r].total.set(Measure::completed, 100);
      runs[r].total.set(Measure::cost, given.costs[r]);
      runs[r].total.set(Measure::goal_met_share, given.in_goal);
      runs[r].total.set(Measure::work_done_share, 1);
      runs[r].total[Measure::wait_mean] = given.wait;
    }
    comparison.strategies.push_back(summarize_runs(given.name, runs));
  }
  return comparison;
}

AlternativeResult alternative(const std::string& name, const std::vector<Given>& strategies) {
  AlternativeResult result{
      .rule = "rule of " + name, .name = name, .comparison = comparison_of(strategies), .verdict = {}};
  result.verdict = judge(result.comparison, kNinety, "goal");
  return result;
}

struct Banded {
  Comparison written;
  Verdict verdict;
  AssumptionBand band;
};

Banded banded(const std::vector<Given>& written, std::vector<AlternativeResult> alternatives) {
  Banded made{.written = comparison_of(written), .verdict = {}, .band = {}};
  made.verdict = judge(made.written, kNinety, "goal");
  made.band = make_band(made.written, made.verdict, std::move(alternatives), kNinety);
  return made;
}

const std::vector<double> kCheap{100, 101, 102};
const std::vector<double> kDear{200, 201, 202};
const std::vector<Given> kFirstWins{{"a", kCheap}, {"b", kDear}};

}  // namespace

TEST_CASE("A recommendation that wins under every alternative survives", "[assumptions]") {
  const Banded made = banded(
      kFirstWins, {alternative("x", kFirstWins), alternative("y", {{"a", kCheap}, {"b", kDear, 0.5}})});
  CHECK(made.band.alternatives[0].outcome == AnswerOutcome::same);
  CHECK(made.band.alternatives[1].outcome == AnswerOutcome::same);
  CHECK(made.band.sentence ==
        "The recommendation stays the same under each of 2 alternatives to what is assumed.");
}

TEST_CASE("An alternative with another winner is named, with its rule and winner", "[assumptions]") {
  const Banded made =
      banded(kFirstWins, {alternative("x", kFirstWins), alternative("y", {{"a", kDear}, {"b", kCheap}})});
  CHECK(made.band.alternatives[1].outcome == AnswerOutcome::other_winner);
  CHECK(made.band.sentence ==
        "The recommendation does not survive what is assumed: under \"y\" (rule of y) \"b\" is the cheapest. "
        "It stays the same under the other 1 of 2.");
}

TEST_CASE("An alternative under which nothing meets the goal, or nothing is sure, changes the answer",
          "[assumptions]") {
  const auto [strategies, outcome, text] = GENERATE(table<std::vector<Given>, AnswerOutcome, std::string>({
      {{{"a", kCheap, 0.5}, {"b", kDear, 0.6}},
       AnswerOutcome::none,
       "does not survive what is assumed: under \"x\" (rule of x) no strategy meets the goal."},
      {{{"a", kCheap}, {"b", {99, 150, 90}}},
       AnswerOutcome::undecided,
       "No alternative to what is assumed gives another winner, but it becomes less sure: under \"x\" (rule "
       "of x) it is undecided."},
      {{{"a", kCheap}, {"b", {90, 120, 70}}},
       AnswerOutcome::undecided,
       "it is undecided, with \"b\" the cheapest on average."},
  }));
  const Banded made = banded(kFirstWins, {alternative("x", strategies)});
  CHECK(made.band.alternatives[0].outcome == outcome);
  CHECK_THAT(made.band.sentence, Catch::Contains(text));
}

TEST_CASE("Another name on top is no change where both cost the same and do it", "[assumptions]") {
  const std::vector<Given> written{{"a", kCheap, 0.95}, {"b", kCheap, 0.94}, {"c", kDear}};
  CHECK(banded(written, {alternative("x", {{"a", kCheap, 0.94}, {"b", kCheap, 0.95}, {"c", kDear}})})
            .band.alternatives[0]
            .outcome == AnswerOutcome::same);
  CHECK(banded(written, {alternative("x", {{"a", kCheap, 0.8}, {"b", kCheap, 0.95}, {"c", kDear}})})
            .band.alternatives[0]
            .outcome == AnswerOutcome::other_winner);
}

TEST_CASE("What is undecided stays so, or an alternative decides it", "[assumptions]") {
  const std::vector<Given> open{{"a", kCheap}, {"b", {99, 150, 90}}};
  CHECK(banded(open, {alternative("x", open)}).band.sentence ==
        "It stays undecided under the one alternative to what is assumed.");
  const Banded made = banded(open, {alternative("x", kFirstWins)});
  CHECK(made.band.alternatives[0].outcome == AnswerOutcome::other_winner);
  CHECK(made.band.sentence ==
        "This depends on what is assumed: under \"x\" (rule of x) \"a\" is the cheapest.");
}

TEST_CASE("A band goes from the lowest to the highest, and says what makes them", "[assumptions]") {
  const Banded made = banded(kFirstWins, {alternative("x", {{"a", {50, 51, 52}}, {"b", kDear}}),
                                          alternative("y", {{"a", {300, 301, 302}}, {"b", kDear}})});
  const auto a = band_of(made.written, made.band, 0, Measure::cost);
  REQUIRE(a);
  CHECK(a->low.value == 51);
  CHECK(a->low.under == 0);
  CHECK(a->high.value == 301);
  CHECK(a->high.under == 1);
  const auto b = band_of(made.written, made.band, 1, Measure::cost);
  REQUIRE(b);
  CHECK(b->low.under == Extreme::kAsWritten);
  CHECK(b->high.under == Extreme::kAsWritten);
  CHECK_FALSE(band_of(made.written, made.band, 0, Measure::held_late));
}

TEST_CASE("A bound anywhere makes the highest a bound; the lowest only if it is one itself",
          "[assumptions]") {
  const auto wait_band = [](Value written, Value other) {
    const Banded made = banded({{"a", kCheap, 1, written}}, {alternative("x", {{"a", kCheap, 1, other}})});
    return band_of(made.written, made.band, 0, Measure::wait_mean).value();
  };
  const Band low_bound = wait_band(Value::exact(3), Value::at_least(1));
  CHECK(low_bound.low.value == 1);
  CHECK(low_bound.low.is_bound);
  CHECK(low_bound.high.value == 3);
  CHECK(low_bound.high.is_bound);
  const Band high_bound = wait_band(Value::exact(1), Value::at_least(3));
  CHECK_FALSE(high_bound.low.is_bound);
  CHECK(high_bound.high.is_bound);
  const Band none = wait_band(Value::exact(1), Value::exact(3));
  CHECK_FALSE(none.high.is_bound);
  const Band absent = wait_band(Value{}, Value::exact(3));
  CHECK(absent.low.value == 3);
  CHECK(absent.low.under == 0);
}

namespace {

WorldResult world(const std::string& name, double weight, const std::vector<Given>& strategies) {
  WorldResult result{.name = name, .weight = weight, .comparison = comparison_of(strategies), .verdict = {}};
  result.verdict = judge(result.comparison, kNinety, "goal");
  return result;
}

}  // namespace

TEST_CASE("Over worlds each strategy is the answer by the weight of those in which it surely wins",
          "[worlds]") {
  const std::vector<Given> dearer_first{{"a", kDear}, {"b", kCheap}};
  const std::vector<Given> none{{"a", kCheap, 0.2}, {"b", kDear, 0.2}};
  const std::vector<Given> noisy{{"a", {100, 300, 200}}, {"b", {200, 100, 310}}};
  const WorldBand band = make_world_band({world("1", 0.5, kFirstWins), world("2", 0.2, dearer_first),
                                          world("3", 0.2, noisy), world("4", 0.1, none)},
                                         "agree with waits.csv");
  CHECK(band.best == std::vector<double>{0.5, 0.2});
  CHECK(band.undecided == 0.2);
  CHECK(band.none == 0.1);
  CHECK(
      band.sentence ==
      "Over 4 worlds that agree with waits.csv, by weight: \"a\" is the answer in 50 %; \"b\" is the answer in "
      "20 %; it is undecided in 20 %; nothing meets what is asked in 10 %.");
}

TEST_CASE("Quantiles over worlds are by weight, and a bound stays one", "[worlds]") {
  const auto waits = [](Value wait) { return std::vector<Given>{{"a", kCheap, 1, wait}}; };
  const WorldBand band =
      make_world_band({world("1", 0.1, waits(Value::exact(1))), world("2", 0.8, waits(Value::exact(3))),
                       world("3", 0.1, waits(Value::at_least(9)))},
                      "agree with waits.csv");
  CHECK(world_quantile(band, 0, Measure::wait_mean, 0.05)->mean == 1);
  CHECK(world_quantile(band, 0, Measure::wait_mean, 0.5)->mean == 3);
  CHECK_FALSE(world_quantile(band, 0, Measure::wait_mean, 0.5)->is_bound);
  CHECK(world_quantile(band, 0, Measure::wait_mean, 0.95)->mean == 9);
  CHECK(world_quantile(band, 0, Measure::wait_mean, 0.95)->is_bound);
  CHECK_FALSE(world_quantile(band, 0, Measure::wait_p95, 0.5).has_value());
}
