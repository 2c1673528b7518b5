// Break-even prices: the winner on each side of each is the one that pricing again finds, and the interval
// around it holds the prices at which the paired difference may be chance.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <catch2/catch.hpp>

#include "models/experiment/standing.h"
#include "models/repricing/break_even.h"
#include "models/repricing/repricing.h"
#include "sim/stats/interval.h"
#include "tests/support/runs/recorded.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;

namespace {

BreakEvens found_in(const StoredComparison& record) {
  const Comparison comparison = recorded_comparison(record);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < record.strategies.size(); ++i) places.push_back(i);
  return break_evens(record, comparison, places, record.price_lines(), record.terms);
}

// A record when the prices of a model are so many times those of the list.
Repricing priced_at(const StoredComparison& record, PriceModel model, double factor) {
  const PriceOverlay times{.machine = {},
                           .gpu = {},
                           .region = {},
                           .model = model,
                           .factor_ppm = std::llround(factor * 1e6),
                           .usd_per_hour = {},
                           .from = {},
                           .until = {},
                           .label = "times"};
  StoredComparison blind = record;
  std::erase_if(blind.strategies, [](const StoredStrategy& strategy) { return strategy.looks_at_prices; });
  return reprice(blind, Catalog::embedded(), {.date = {}, .own = {times}, .billing = {}});
}

double cost_at(const StoredComparison& record, const std::string& strategy, PriceModel model, double factor) {
  for (const StrategyResult& one : priced_at(record, model, factor).now.strategies)
    if (one.name == strategy) return one.total[Measure::cost].mean;
  return std::numeric_limits<double>::infinity();
}

// The cheapest that may win then.
std::string winner_at(const StoredComparison& record, PriceModel model, double factor) {
  const Repricing repricing = priced_at(record, model, factor);
  const Standings standings{repricing.now, record.goal};
  for (const std::size_t i : standings.by_cost())
    if (standings[i].qualifies()) return repricing.now.strategies[i].name;
  return "none";
}

std::size_t check_winners(const StoredComparison& record) {
  std::size_t edges = 0;
  for (const BreakEven& model : found_in(record).models) {
    for (const WinningRange& range : model.ranges) {
      CAPTURE(kPriceModelNames[static_cast<std::size_t>(model.model)], range.from);
      const std::string& name = record.strategies[range.strategy].name;
      const double until = range.until.value_or(range.from + 2);
      CHECK(until > range.from);
      CHECK(winner_at(record, model.model, range.from + 0.02 * (until - range.from) + 1e-5) == name);
      CHECK(winner_at(record, model.model, range.from + 0.98 * (until - range.from)) == name);
      if (range.until) ++edges;
    }
    CHECK(model.ranges.front().from == 0);
    CHECK_FALSE(model.ranges.back().until);
  }
  return edges;
}

LinearCosts drawn(std::mt19937_64& random, double fixed, double slope, double noise) {
  std::normal_distribution<double> law{0, noise};
  LinearCosts costs;
  for (int i = 0; i < 5; ++i) {
    costs.fixed.push_back(fixed + law(random));
    costs.slope.push_back(slope + law(random));
  }
  return costs;
}

bool may_be_chance(const LinearCosts& a, const LinearCosts& b, double factor) {
  std::vector<double> difference;
  for (std::size_t i = 0; i < a.fixed.size(); ++i)
    difference.push_back(a.fixed[i] + factor * a.slope[i] - b.fixed[i] - factor * b.slope[i]);
  const Estimate estimate = stockout::estimate(difference);
  return estimate.low() <= 0 && estimate.high() >= 0;
}

}  // namespace

TEST_CASE("The winner between two break-even prices is that of pricing again", "[break_even]") {
  const std::string folder = std::string{STOCKOUT_SCENARIOS_DIR} + "/";
  const auto load = [&](const std::string& name, std::vector<Override> overrides) {
    return recorded(
        load_scenario(folder + name,
                      {.overrides = std::move(overrides), .catalog_dir = {}, .seed = {}, .replications = 2}));
  };
  CHECK(check_winners(load("quickstart.json", {})) >= 2);
  CHECK(check_winners(load("quickstart.json", {{"/goal/wait_p", "50"}, {"/goal/same_work", "50"}})) >= 3);
  CHECK(check_winners(load("commitments.json", {{"/window", "7d"}})) >= 2);
}

TEST_CASE("Covered usage does not make the cost bend as the on-demand price changes", "[break_even]") {
  const ScratchFolder folder;
  const StoredComparison record =
      recorded(load_scenario(folder.file("billed.json", kBilledScenario),
                             {.overrides = {{"/prices", "[]"}, {"/goal/same_work", "50"}},
                              .catalog_dir = {},
                              .seed = {},
                              .replications = {}}));
  CHECK(check_winners(record) >= 2);
  const BreakEvens found = found_in(record);
  REQUIRE(found.looking.size() == 1);
  CHECK(record.strategies[found.looking[0]].name == "by price");
}

TEST_CASE("A strategy that misses the goal wins at no price", "[break_even]") {
  const StoredComparison record =
      recorded(load_scenario(std::string{STOCKOUT_SCENARIOS_DIR} + "/quickstart.json"));
  const BreakEvens found = found_in(record);
  CHECK(found.not_qualifying == std::vector<std::size_t>{0, 1, 2, 5});
  for (const BreakEven& model : found.models) {
    CHECK(model.model != PriceModel::spot);
    for (const WinningRange& range : model.ranges) CHECK(range.strategy >= 3);
  }
  REQUIRE(found.models.size() >= 2);
  CHECK(found.models[0].machine == "a3-highgpu-8g");
  CHECK(found.models[0].usd_per_hour == 38.32);
  CHECK(found.models[0].is_one_of_several);

  StoredComparison strict = record;
  strict.goal->quantile = 0.9999;
  CHECK(found_in(strict).models.empty());
}

// By pricing again: just inside of where it would win it costs less than all that qualify, outside not.
TEST_CASE("What misses a goal has the price below which it would win", "[break_even][goals]") {
  const StoredComparison record =
      recorded(load_scenario(std::string{STOCKOUT_SCENARIOS_DIR} + "/quickstart.json"));
  const BreakEvens found = found_in(record);
  CHECK_FALSE(found.would_win.empty());
  const Comparison comparison = recorded_comparison(record);
  const Standings standings{comparison, record.goal};
  std::size_t edges = 0;
  for (const WouldWin& one : found.would_win) {
    CAPTURE(record.strategies[one.strategy].name);
    CHECK(std::ranges::count(found.not_qualifying, one.strategy) == 1);
    CHECK(one.price.usd_per_hour > 0);
    if (one.at_no_price || !one.until) continue;
    ++edges;
    const Standing& standing = standings[one.strategy];
    const double times = standing.work.on_average ? 1
                                                  : standings[standings.most_complete()].work_done->mean /
                                                        standing.work_done->mean;
    CHECK((times > 1) == one.condition.ends_with("at the cost of today"));
    for (const double part : {0.98, 1.02}) {
      const double factor = *one.until * part;
      const double cheapest =
          cost_at(record, winner_at(record, one.price.model, factor), one.price.model, factor);
      const double cost = cost_at(record, record.strategies[one.strategy].name, one.price.model, factor);
      CHECK((times * cost < cheapest) == (part < 1));
    }
  }
  CHECK(edges >= 1);
}

// One factor on a linear cost: by hand, the budget divided by the cost of now.
TEST_CASE("Above some price no strategy keeps to the budget", "[break_even][goals]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("s.json", kSmallScenario);
  const StoredComparison record =
      recorded(load_scenario(scenario, {.overrides = {{"/goals", R"([{"budget_usd": 1000000}])"}},
                                        .catalog_dir = {},
                                        .seed = {},
                                        .replications = {}}));
  const BreakEvens found = found_in(record);
  REQUIRE(found.models.size() == 1);
  const double cost = recorded_comparison(record).strategies[0].total[Measure::cost].mean;
  REQUIRE(found.models[0].over_budget_from);
  CHECK(*found.models[0].over_budget_from == Approx(1'000'000 / cost));
}

TEST_CASE("Fieller's interval holds the factors at which the paired difference may be chance",
          "[break_even]") {
  std::mt19937_64 random{7};
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const LinearCosts a = drawn(random, 10, 5, 0.5);
    const LinearCosts b = drawn(random, 20, 2, 0.5);
    const FactorInterval doubt = fieller(a, b);
    REQUIRE(doubt.high);
    CHECK(doubt.low < 10.0 / 3 + 1.5);
    const double slack = 1e-9 * *doubt.high;
    CHECK(may_be_chance(a, b, doubt.low + slack));
    CHECK(may_be_chance(a, b, (doubt.low + *doubt.high) / 2));
    CHECK(may_be_chance(a, b, *doubt.high - slack));
    CHECK_FALSE(may_be_chance(a, b, doubt.low - 1e-6));
    CHECK_FALSE(may_be_chance(a, b, *doubt.high + 1e-6));
  }
}

TEST_CASE("Where slopes may be equal the doubt has no end", "[break_even]") {
  std::mt19937_64 random{11};
  int open = 0;
  for (int round = 0; round < 200; ++round) {
    const LinearCosts a = drawn(random, 10, 2.2, 1);
    const LinearCosts b = drawn(random, 20, 2.0, 1);
    const FactorInterval doubt = fieller(a, b);
    if (doubt.high) continue;
    ++open;
    CHECK(may_be_chance(a, b, doubt.low + 1e-9));
    CHECK(may_be_chance(a, b, doubt.low + 1e6));
    if (doubt.low > 0) CHECK_FALSE(may_be_chance(a, b, doubt.low * (1 - 1e-6)));
  }
  CHECK(open > 100);
}

TEST_CASE("Without noise the interval is a point", "[break_even]") {
  const LinearCosts a{.fixed = {10, 10, 10}, .slope = {5, 5, 5}};
  const LinearCosts b{.fixed = {20, 20, 20}, .slope = {3, 3, 3}};
  CHECK(fieller(a, b).low == Approx(5));
  CHECK(fieller(a, b).high.value() == Approx(5));
}
