// Shares of jobs by how long they waited: what the measures say at the goal, whatever the threads.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/experiment/comparison.h"
#include "models/history/wait_curves.h"
#include "models/scenario/scenario.h"
#include "tests/support/runs/observed.h"
#include "tests/support/worlds/random_world.h"
#include "tests/support/worlds/world_builder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

struct Compared {
  Comparison comparison;
  WaitCurves curves;
};

// Measures need a type of GPU and a price of every line.
void add_prices(World& world) {
  world.gpu_types = {"any"};
  for (PriceLine& line : world.price_lines) {
    line.steps = {
        {.from = world.begin, .list = MachineHourPrice{1'000}, .contracted = MachineHourPrice{1'000}}};
  }
}

CompareOptions runs(std::size_t replications, int threads = 0) {
  CompareOptions options;
  options.replications = replications;
  options.threads = threads;
  return options;
}

Compared compare_with_curves(const World& world, const std::optional<WaitGoal>& goal,
                             CompareOptions options) {
  WaitCurveBook book{world, goal};
  options.goal = goal;
  EachRun waits{[&book](const RunPlace& run, const RunRecord& record, const Measures&) {
    book.add(run.strategy, run.replication, record);
  }};
  options.observers = {&waits};
  Compared result;
  result.comparison = compare(world, options);
  result.curves = book.curves();
  return result;
}

bool is_same(const Estimate& estimate, const Summary& summary) {
  return estimate.mean == summary.mean && estimate.half_width == summary.half_width &&
         estimate.count == summary.replications;
}

bool is_same(const Estimate& a, const Estimate& b) {
  return a.mean == b.mean && a.half_width == b.half_width && a.count == b.count;
}

// Bit for bit.
void check_at_goal(const Compared& compared) {
  REQUIRE(compared.curves.goal.has_value());
  const std::size_t at = *compared.curves.goal;
  for (const WaitCurve& curve : compared.curves.curves) {
    const StrategyResult& result = compared.comparison.strategies.at(curve.strategy);
    CAPTURE(result.name);
    CHECK(is_same(curve.completed[at], result.total[Measure::goal_met_share]));
    CHECK(is_same(curve.started[at], result.total[Measure::within_goal_share]));
    CHECK(curve.drew == result.drew);
    CHECK(curve.replications == result.total[Measure::goal_met_share].replications);
  }
}

void check_shape(const WaitCurves& curves) {
  CHECK(curves.waits.front() == SimDuration::zero());
  CHECK(std::ranges::is_sorted(curves.waits));
  CHECK(std::ranges::adjacent_find(curves.waits) == curves.waits.end());
  for (const WaitCurve& curve : curves.curves) {
    REQUIRE(curve.started.size() == curves.waits.size());
    REQUIRE(curve.completed.size() == curves.waits.size());
    for (std::size_t i = 0; i < curves.waits.size(); ++i) {
      CHECK(curve.completed[i].mean <= curve.started[i].mean + 1e-15);
      if (i > 0) CHECK(curve.started[i].mean >= curve.started[i - 1].mean);
    }
    // Each share is rounded once, and the means of n shares n times: below 1e-12 for any n here.
    CHECK(curve.started.back().mean + curve.never_started.mean == Approx(1).margin(1e-12));
  }
}

}  // namespace

TEST_CASE("At the goal's limit a wait curve is the measure, in any world", "[history]") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    World world = random_world(seed);
    add_prices(world);
    std::optional<WaitGoal> goal = WaitGoal{.at_most = std::chrono::seconds{7 * (seed % 9)}, .job_class = {}};
    if (seed % 2 == 1) goal->job_class = ClassId{0};
    const Compared compared = compare_with_curves(world, goal, runs(3));
    check_at_goal(compared);
    check_shape(compared.curves);
  }
}

TEST_CASE("At the goal's limit a wait curve is the measure, in the quickstart", "[history]") {
  const Scenario scenario = load_scenario(std::string{STOCKOUT_SCENARIOS_DIR} + "/quickstart.json");
  REQUIRE(scenario.goal.has_value());
  const Compared few = compare_with_curves(scenario.world, scenario.goal, runs(9, 1));
  check_at_goal(few);
  check_shape(few.curves);
  CHECK(few.curves.curves.size() == scenario.world.strategies.size());

  SECTION("the same bits whatever the number of threads") {
    const Compared many = compare_with_curves(scenario.world, scenario.goal, runs(9));
    REQUIRE(many.curves.waits == few.curves.waits);
    for (std::size_t s = 0; s < few.curves.curves.size(); ++s) {
      for (std::size_t i = 0; i < few.curves.waits.size(); ++i) {
        CHECK(is_same(many.curves.curves[s].started[i], few.curves.curves[s].started[i]));
        CHECK(is_same(many.curves.curves[s].completed[i], few.curves.curves[s].completed[i]));
      }
    }
  }
  SECTION("with a precision that ends the replications") {
    CompareOptions options;
    options.precision = Precision{.half_width = 0.5, .most = 40};
    check_at_goal(compare_with_curves(scenario.world, scenario.goal, options));
  }
  SECTION("without a goal all jobs are looked at") {
    const Compared all = compare_with_curves(scenario.world, std::nullopt, runs(2));
    CHECK(!all.curves.goal.has_value());
    check_shape(all.curves);
    for (const WaitCurve& curve : all.curves.curves) {
      const Summaries& total = all.comparison.strategies[curve.strategy].total;
      CHECK(curve.jobs == total[Measure::jobs].mean);
      CHECK(is_same(curve.never_started, total[Measure::never_started_share]));
    }
  }
}

// One machine, three jobs of an hour each, submitted at once: they wait 0, 1 and 2 hours; the fourth gives
// up.
TEST_CASE("A wait curve by hand", "[history]") {
  WorldBuilder make;
  const PoolId pool = make.pool(1);
  make.leg({.policy = flex(), .places = {pool}});
  for (int i = 0; i < 3; ++i) make.job({.at = 0s, .work = 1h});
  make.job({.at = 0s, .work = 1h, .max_wait = 30min});
  World world = make.build();
  add_prices(world);
  const Compared compared = compare_with_curves(world, std::nullopt, runs(5));
  REQUIRE(compared.curves.curves.size() == 1);
  const WaitCurve& curve = compared.curves.curves.front();
  CHECK(!curve.drew);
  CHECK(curve.replications == 1);  // all others would be the same
  CHECK(curve.jobs == 4);
  CHECK(compared.curves.waits.back() == 2h);
  const auto started_within = [&](SimDuration wait) {
    const auto at = std::ranges::find(compared.curves.waits, wait) - compared.curves.waits.begin();
    return curve.started.at(static_cast<std::size_t>(at)).mean;
  };
  CHECK(started_within(0s) == 0.25);
  CHECK(started_within(30min) == 0.25);
  CHECK(started_within(1h) == 0.5);
  CHECK(started_within(2h) == 0.75);
  CHECK(curve.completed.back().mean == 0.75);
  CHECK(curve.never_started.mean == 0.25);
}

TEST_CASE("The waits to look at have the goal's own limit and no end beyond the run", "[history]") {
  WorldBuilder make;
  World world = make.build();
  world.drain_limit = 23h;
  const std::vector<SimDuration> waits =
      waits_to_look_at(world, WaitGoal{.at_most = 4h + 1ms, .job_class = {}});
  CHECK(std::ranges::count(waits, SimDuration{4h + 1ms}) == 1);
  CHECK(std::ranges::count(waits, SimDuration{4h}) == 1);
  CHECK(waits.back() == 24h);
  world.drain_limit = kLongestRun - 1h;
  CHECK(waits_to_look_at(world, {}).size() < 120);
}
