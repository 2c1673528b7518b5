// Demand whose rate varies, through the whole engine, against Mt/G/infinity: how many jobs are in a system
// where nobody ever waits, over time. Seeds were fixed before the first look; the table is judged as one.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/theory/time_varying.h"
#include "tests/validation/estimate.h"
#include "tests/validation/pool_world.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kSeed = 20'261'121;
constexpr std::size_t kReplications = 40;
constexpr int kHours = 15 * 24;
constexpr double kPeakPerHour = 30;

double intensity_of(int hour) {
  const int day = hour / 24 % 7;
  const int clock = hour % 24;
  if (day >= 5) return 0.1;
  return clock >= 9 && clock < 18 ? 1 : 0.3;
}

// Written demand times 1.4, and 3.2 times that on day 9.
double factor_of(int hour) { return hour / 24 == 9 ? 1.4 * 3.2 : 1.4; }

World unlimited_world(const Law& work) {
  World world = test::generic_world();
  world.seed = kSeed;
  world.window_end = kStart + kHours * 1h;
  PoissonArrivals arrivals{.peak_per_hour = kPeakPerHour, .intensity = {}};
  for (int hour = 0; hour < 168; ++hour) arrivals.intensity.push_back(intensity_of(hour));
  SyntheticDemand demand;
  demand.arrivals = arrivals;
  demand.until = world.window_end;
  demand.shapes = {{.weight = 1, .shape = test::gang(world, 1)}};
  demand.work = work;
  demand.factor.steps = {{.at = kStart, .times = 1.4},
                         {.at = kStart + 9 * 24h, .times = 1.4 * 3.2},
                         {.at = kStart + 10 * 24h, .times = 1.4}};
  world.sources = {test::make_source("jobs", demand)};
  const PoolId zone = test::add_zone_pool(world, std::nullopt, LeaseClass::on_demand, Discipline::fifo);
  const PriceLineId line = test::add_price(world, zone, Charge::direct, {});
  world.strategies = {
      test::make_strategy("unlimited", {test::one_pool_leg(world, test::loss_policy(), zone, line)})};
  return world;
}

std::vector<double> in_system(const World& world, std::uint64_t replication, const std::vector<int>& hours) {
  const JobRecord jobs = simulate(world, 0, replication).jobs;
  std::vector<double> counts(hours.size());
  for (std::uint64_t job = 0; job < jobs.size(); ++job) {
    const JobOutcome outcome = jobs.at(job);
    for (std::size_t i = 0; i < hours.size(); ++i) {
      const SimTime at = kStart + hours[i] * 1h;
      if (outcome.first_grant <= at && at < outcome.finished) counts[i] += 1;
    }
  }
  return counts;
}

}  // namespace

TEST_CASE("The mean number in an unlimited system follows a varying rate as Mt/G/infinity says",
          "[validation]") {
  const std::vector<int> hours{5, 12, 18, 30, 90, 135, 160, 190, 217, 228, 240, 250, 300, 359};
  std::vector<RateStep> steps;
  for (int hour = 0; hour < kHours; ++hour) {
    steps.push_back({.from = static_cast<double>(hour),
                     .until = hour + 1.0,
                     .rate = kPeakPerHour * intensity_of(hour) * factor_of(hour)});
  }
  std::vector<test::AgainstTheory> table;
  for (const Law& work :
       {Law{.kind = Law::Kind::constant, .a = 6h}, Law{.kind = Law::Kind::exponential, .a = 6h},
        Law{.kind = Law::Kind::lognormal, .a = 3h, .sigma = 1.5},
        Law{.kind = Law::Kind::pareto, .a = 2h, .b = 200h, .sigma = 1.2}}) {
    const World world = unlimited_world(work);
    const auto mean_below = [&](double x) {
      return work.mean_below_ms(SimDuration{std::llround(x * 3'600'000)}) / 3'600'000;
    };
    std::vector<test::AgainstTheory> of_law;
    for (const int hour : hours) {
      of_law.push_back(
          {.name = "law " + std::to_string(static_cast<int>(work.kind)) + " at hour " + std::to_string(hour),
           .theory = mean_in_system(steps, hour, mean_below),
           .replications = {}});
    }
    for (std::uint64_t replication = 0; replication < kReplications; ++replication) {
      const auto counts = in_system(world, replication, hours);
      for (std::size_t i = 0; i < hours.size(); ++i) of_law[i].replications.push_back(counts[i]);
    }
    table.insert(table.end(), of_law.begin(), of_law.end());
  }
  test::check_jointly(table, 0.05);
}
