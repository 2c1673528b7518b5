// Jobs that write checkpoints on machines that die at random, through the whole engine: how long they take at
// each interval against the exact expectation, and which interval is best against Daly's. Seeds were fixed
// before the first look.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/theory/checkpoints.h"
#include "tests/validation/estimate.h"
#include "tests/validation/pool_world.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kSeed = 20'261'121;
constexpr std::size_t kReplications = 20;
constexpr std::int32_t kJobs = 2'000;  // in each

struct Plan {
  SimDuration every{};
  SimDuration write{};
  SimDuration work{};
  SimDuration restart{};
  SimDuration machine_life{};
  std::int32_t machines = 1;
  bool exits = false;  // machines live, and their workers exit so often
};

double minutes(SimDuration length) { return static_cast<double>(length.count()) / 60'000; }

World spot_world(const Plan& plan) {
  World world = test::generic_world();
  world.seed = kSeed;
  world.window_end = kStart + 1s;
  world.classes[0].checkpoint_every = plan.every;
  world.classes[0].checkpoint_cost = plan.write;
  SyntheticDemand demand;
  demand.arrivals = ScheduledArrivals{.at = {kStart}, .count = kJobs};
  demand.shapes = {{.weight = 1, .shape = test::gang(world, plan.machines)}};
  demand.work = {.a = plan.work};
  world.sources = {test::make_source("jobs", demand)};
  const PoolId zone = test::add_zone_pool(world, std::nullopt, LeaseClass::spot, Discipline::fifo);
  const PriceLineId line = test::add_price(world, zone, Charge::direct, {});
  Policy spot = test::loss_policy();
  spot.lease_class = LeaseClass::spot;
  spot.worker_restarts = kUnlimited;
  (plan.exits ? world.classes[0].exits.after : spot.lifetime) = {.kind = Law::Kind::exponential,
                                                                 .a = plan.machine_life};
  spot.start_up = {.a = plan.restart};
  world.strategies = {test::make_strategy("spot", {test::one_pool_leg(world, spot, zone, line)})};
  return world;
}

// Submission to completion, the mean of each replication, in minutes.
std::vector<double> run_times(const Plan& plan) {
  const World world = spot_world(plan);
  std::vector<double> means;
  for (std::uint64_t replication = 0; replication < kReplications; ++replication) {
    const JobRecord jobs = simulate(world, 0, replication).jobs;
    double sum = 0;
    for (std::uint64_t job = 0; job < jobs.size(); ++job) {
      const JobOutcome outcome = jobs.at(job);
      REQUIRE(outcome.state == FinalState::completed);
      sum += minutes(outcome.finished - kStart);
    }
    means.push_back(sum / static_cast<double>(jobs.size()));
  }
  return means;
}

double mean_life(const Plan& plan) { return minutes(plan.machine_life) / plan.machines; }

test::AgainstTheory compare(const Plan& plan) {
  const double theory = mean_run_time({.work = minutes(plan.work),
                                       .every = minutes(plan.every),
                                       .write = minutes(plan.write),
                                       .restart = minutes(plan.restart),
                                       .mean_life = mean_life(plan)});
  return {std::to_string(plan.machines) + " machines, every " + std::to_string(minutes(plan.every)), theory,
          run_times(plan)};
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("Jobs with checkpoints on machines that die take as long as the exact expectation says",
          "[validation]") {
  std::vector<test::AgainstTheory> table;
  for (const SimDuration every : {SimDuration{15min}, SimDuration{37min}, SimDuration{1h}, SimDuration{3h}}) {
    table.push_back(compare({every, 5min, 10h, 6min, 5h}));
    table.push_back(
        compare({every, 5min, 10h, 6min, 20h, 4}));  // the gang dies with the first of its machines
    table.push_back(compare({every, 0min, 5h, 0min, 90min}));
  }
  table.push_back(compare({12h, 5min, 10h, 6min, 5h}));  // no checkpoint at all
  test::check_jointly(table, 0.01);
}

TEST_CASE("Jobs whose workers exit at random take as long as theory says", "[validation]") {
  std::vector<test::AgainstTheory> table;
  for (const SimDuration every : {SimDuration{37min}, SimDuration{12h}}) {
    table.push_back(compare({every, 5min, 10h, 0min, 10h, 1, true}));
    table.push_back(compare({every, 5min, 10h, 0min, 20h, 4, true}));  // with the first of its workers
  }
  test::check_jointly(table, 0.01);
}

// Each of (1 + restarts of the worker) x (1 + restarts of the job) tries ends by an exit, independently.
TEST_CASE("Jobs whose worker has no restart left fail as often as theory says", "[validation]") {
  World world = spot_world({1h, 0min, 1h, 0min, 1h, 1, true});
  Policy& row = world.strategies[0].legs[0].policy;
  row.worker_restarts = 1;
  row.exit_restarts = 2;
  std::vector<double> failed;
  for (std::uint64_t replication = 0; replication < kReplications; ++replication) {
    const JobRecord jobs = simulate(world, 0, replication).jobs;
    std::uint64_t count = 0;
    for (std::uint64_t job = 0; job < jobs.size(); ++job) count += jobs.at(job).state == FinalState::failed;
    failed.push_back(static_cast<double>(count) / static_cast<double>(jobs.size()));
  }
  test::check_jointly({{"failed", std::pow(1 - std::exp(-1.0), 6), failed}}, 0.05);
}

TEST_CASE("The simulated best interval between checkpoints is the one next to Daly's", "[validation]") {
  const Plan base{{}, 5min, 40h, 6min, 5h};
  const double daly = daly_interval(5, 300);
  double best = 0;
  double least = INFINITY;
  double nearest = 0;
  for (const SimDuration every :
       {SimDuration{15min}, SimDuration{25min}, SimDuration{38min}, SimDuration{50min}, SimDuration{65min},
        SimDuration{90min}, SimDuration{150min}}) {
    Plan plan = base;
    plan.every = every;
    const double time = mean_of(run_times(plan));
    if (time < least) best = minutes(every);
    least = std::min(least, time);
    if (std::abs(minutes(every) - daly) < std::abs(nearest - daly)) nearest = minutes(every);
  }
  CHECK(best == nearest);
}
