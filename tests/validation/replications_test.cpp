// How many replications: rounds, precision, and what is known of demand before it is drawn.

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "models/experiment/comparison.h"
#include "models/workload/arrivals/expected_demand.h"
#include "sim/stats/interval.h"
#include "tests/validation/steady_world.h"

using namespace stockout;
using namespace stockout::test;
using std::chrono::hours;

namespace {

// Jobs that are lost where five servers are busy, at 6 dollars a machine-hour.
World loss_world(double jobs = 40) {
  World world = steady_world({.gpus = 5, .load = 4, .policy = loss_policy(), .jobs = jobs}, 10);
  for (PriceLine& line : world.price_lines) {
    for (PriceStep& step : line.steps) step.list = step.contracted = MachineHourPrice{6'000'000'000};
  }
  return world;
}

CompareOptions asking(double half_width, std::size_t most, std::vector<Measure> of = {Measure::cost}) {
  CompareOptions options;
  options.precision = Precision{.half_width = half_width, .of = std::move(of), .most = most};
  return options;
}

// A schedule: nothing is drawn.
World certain_world() {
  World world = loss_world();
  world.sources.resize(1);
  auto& demand = std::get<SyntheticDemand>(world.sources.front().demand);
  demand.arrivals = ScheduledArrivals{.at = {kStart, kStart + hours{1}}, .count = 3, .grouped = false};
  demand.work = Law{.a = hours{1}};
  return world;
}

SyntheticDemand& demand_of(World& world, std::size_t source) {
  return std::get<SyntheticDemand>(world.sources[source].demand);
}

}  // namespace

TEST_CASE("Looks lie half as many replications apart again, up to the most", "[replications]") {
  std::vector<std::size_t> looks;
  for (std::size_t n = 1; n < 100; looks.push_back(n)) n = next_look(n, 100);
  CHECK(looks == std::vector<std::size_t>{10, 15, 23, 35, 53, 80, 100});
}

TEST_CASE("Replications stop at the first look that finds the precision", "[replications]") {
  const Comparison comparison = compare(loss_world(), asking(0.02, 1'000));
  REQUIRE(comparison.precision);
  CHECK(comparison.precision->is_met());
  CHECK(comparison.precision->looks.back() == comparison.replications);
  const StrategyResult& strategy = comparison.strategies.front();
  CHECK(strategy.replications == comparison.replications);
  CHECK(*strategy.total[Measure::cost].half_width <= 0.02 * strategy.total[Measure::cost].mean);
  CompareOptions before;
  before.replications = comparison.precision->looks.at(comparison.precision->looks.size() - 2);
  const Summary cost = compare(loss_world(), before).strategies.front().total[Measure::cost];
  CHECK(*cost.half_width > 0.02 * cost.mean);
}

TEST_CASE("The most allowed ends it, and that it was not reached is known", "[replications]") {
  const Comparison comparison = compare(loss_world(), asking(0.001, 20));
  CHECK(comparison.replications == 20);
  CHECK_FALSE(comparison.precision->is_met());
  CHECK(comparison.precision->known.front().state == KnownTo::State::not_met);
  CHECK(*comparison.precision->known.front().half_width > 0.001);
}

TEST_CASE("The same bits on one thread and on two, with precision and controls", "[replications]") {
  CompareOptions options = asking(0.03, 200, {Measure::cost, Measure::never_started_share});
  options.control_variates = true;
  options.threads = 1;
  const World world = loss_world();
  const Comparison one = compare(world, options);
  options.threads = 2;
  const Comparison two = compare(world, options);
  CHECK(one.replications == two.replications);
  CHECK(one.fingerprint == two.fingerprint);
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const auto measure = static_cast<Measure>(i);
    CHECK(one.strategies[0].total[measure].mean == two.strategies[0].total[measure].mean);
    CHECK(one.strategies[0].total[measure].half_width == two.strategies[0].total[measure].half_width);
  }
}

TEST_CASE("A world without chance is run once, whatever the precision", "[replications]") {
  const Comparison comparison = compare(certain_world(), asking(0.01, 1'000));
  CHECK(comparison.replications == 1);
  CHECK(comparison.strategies.front().replications == 1);
  CHECK(comparison.precision->looks.empty());
  CHECK(comparison.precision->is_met());
}

TEST_CASE("What has no interval is left out of the precision, and said", "[replications]") {
  const Comparison comparison =
      compare(loss_world(), asking(0.2, 1'000, {Measure::wait_p95, Measure::failed, Measure::held_late}));
  CHECK(comparison.replications == kFirstLook);
  const auto& known = comparison.precision->known;
  REQUIRE(known.size() == 3);
  CHECK(known[0].state == KnownTo::State::bound);  // a share of 20 % never starts
  CHECK(known[1].state == KnownTo::State::met);    // none, in every replication
  CHECK(known[2].state == KnownTo::State::absent);
}

TEST_CASE("Measures that add up do so after they are adjusted", "[replications]") {
  CompareOptions options;
  options.replications = 15;
  options.control_variates = true;
  const Comparison comparison = compare(loss_world(), options);
  const Summaries& total = comparison.strategies.front().total;
  CHECK(total[Measure::jobs].mean == Approx(40));  // as expected, whatever was drawn
  CHECK(*total[Measure::jobs].half_width == 0);
  CHECK(total[Measure::completed].mean + total[Measure::refused].mean == Approx(40));
  options.control_variates = false;
  CHECK(compare(loss_world(), options).strategies.front().total[Measure::jobs].mean != Approx(40));
}

TEST_CASE("The jobs that a profile and growth bring are integrals of the rate", "[replications]") {
  SyntheticDemand demand;
  PoissonArrivals arrivals{.peak_per_hour = 10, .intensity = std::vector<double>(168, 0.0)};
  arrivals.intensity[2] = 1;
  arrivals.intensity[3] = 0.5;
  demand.arrivals = arrivals;
  const SimTime end = kStart + hours{168};
  CHECK(expected_jobs(demand, kStart, end) == Approx(15));
  CHECK(expected_jobs(demand, kStart + std::chrono::minutes{150}, end) == Approx(10));
  CHECK(expected_jobs(demand, end, kStart) == 0);
  demand.factor.steps = {{.at = kStart + hours{3}, .times = 4}};
  CHECK(expected_jobs(demand, kStart, end) == Approx(10 + 20));
  demand.factor = {};
  demand.factor.growths = {{.rate = 1, .period = hours{1}, .from = kStart + hours{3}}};
  // 2^t over the fourth hour: 1 / ln 2.
  CHECK(expected_jobs(demand, kStart, end) == Approx(10 + 5 / std::log(2)).epsilon(1e-4));
}

TEST_CASE("A clock that changes moves the profile of expected jobs", "[replications]") {
  SyntheticDemand demand;
  PoissonArrivals arrivals{.peak_per_hour = 10, .intensity = std::vector<double>(168, 0.0)};
  arrivals.intensity[2] = 1;
  arrivals.clock_shifts = {{.at = kStart + hours{1}, .by = std::chrono::minutes{30}}};
  demand.arrivals = arrivals;
  const SimTime to = kStart + hours{2};
  CHECK(expected_jobs(demand, kStart, to) == Approx(5));
}

// Every law, several sizes, a profile, growth and tenants: what is drawn is what is expected, to four
// standard errors of the mean of 400 replications.
TEST_CASE("What is drawn has the expectation that the controls say", "[replications]") {
  const Law law = GENERATE(Law{.kind = Law::Kind::exponential, .a = hours{2}},
                           Law{.kind = Law::Kind::lognormal, .a = hours{2}, .sigma = 1.5, .most = hours{5}},
                           Law{.kind = Law::Kind::uniform, .a = hours{1}, .b = hours{3}},
                           Law{.kind = Law::Kind::weibull, .a = hours{2}, .sigma = 0.7});
  World world = loss_world();
  world.begin = kStart - hours{20};
  demand_of(world, 0).work = law;
  demand_of(world, 0).shapes = {{.weight = 1, .shape = gang(world, 1)},
                                {.weight = 3, .shape = gang(world, 4)}};
  auto& arrivals = std::get<PoissonArrivals>(demand_of(world, 0).arrivals);
  arrivals.intensity.assign(168, 0.25);
  arrivals.intensity[1] = 1;
  demand_of(world, 0).factor.steps = {{.at = kStart + std::chrono::minutes{30}, .times = 2.5}};
  demand_of(world, 1).from = world.begin;
  const DemandControls controls{world};
  REQUIRE(controls.controls().size() == 4);
  std::vector<RunningEstimate> drawn(4);
  for (std::uint64_t replication = 0; replication < 400; ++replication) {
    const Surplus surplus = controls.surplus(replication);
    for (std::size_t i = 0; i < 4; ++i) drawn[i].add(surplus.at(i));
  }
  for (const RunningEstimate& one : drawn) {
    const Estimate estimate = one.result();
    CHECK(std::abs(estimate.mean) <= 2 * *estimate.half_width);
    CHECK(*estimate.half_width < 0.1);
  }
}

TEST_CASE("Schedules and worlds on a grid have no controls", "[replications]") {
  CHECK(DemandControls{certain_world()}.controls().empty());
  World world = loss_world();
  world.grid = hours{1};
  CHECK(DemandControls{world}.controls().empty());
}
