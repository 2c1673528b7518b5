// Pipelines against queueing theory: two steps behind a first one that takes no time are a fork-join of two
// M/M/1 queues. Seeds were fixed before the first look; the table is judged as one (estimate.h), with the
// largest standard error of queueing_theory_test.cpp.

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/theory/queues.h"
#include "tests/validation/estimate.h"
#include "tests/validation/poisson_world.h"

using namespace stockout;
using test::AgainstTheory;

namespace {

constexpr std::size_t kReplications = 20;
constexpr double kStandardErrorMax = 0.04;
constexpr double kWarmUp = 2'000;  // mean service times: many relaxation times of the queues below
constexpr std::uint64_t kSteps = 3;

/// A step of its own class, whose jobs have a pool of their own.
void add_step(World& world, const Law& work, PoolId pool, const Policy& policy) {
  const auto number = static_cast<std::uint16_t>(world.sources.size());
  Source source = world.sources[0];
  auto& demand = std::get<SyntheticDemand>(source.demand);
  demand.arrivals = FollowingArrivals{};
  demand.job_class = ClassId{number};
  demand.work = work;
  source.step = PipelineStep{.first = SourceId{0}, .after = {SourceId{0}}};
  world.sources.push_back(std::move(source));
  world.classes.push_back({.name = "step"});
  const PriceLineId line = test::add_price(world, pool, Charge::direct, MachineHourPrice{0});
  world.strategies[0].legs.push_back(test::one_pool_leg(world, policy, pool, line));
}

World fork_join(double load) {
  const Policy policy = test::queue_policy();
  World world = test::poisson_world(
      {.gpus = 1'000, .load = load, .policy = policy, .jobs = 60'000, .warm_up = kWarmUp});
  auto& first = std::get<SyntheticDemand>(world.sources[0].demand);
  const Law work = first.work;
  first.work = {.kind = Law::Kind::constant, .a = SimDuration{1}};
  for (int branch = 0; branch < 2; ++branch) {
    const PoolId pool = test::add_zone_pool(world, 1, LeaseClass::flex, world.pools[0].discipline);
    add_step(world, work, pool, policy);
  }
  world.sources[0].step = PipelineStep{.first = SourceId{0}, .after = {}};
  std::vector<Leg>& legs = world.strategies[0].legs;
  for (std::size_t i = 0; i < kSteps; ++i) {
    legs[i].classes.assign(kSteps, false);
    legs[i].classes[i] = true;
  }
  return world;
}

/// In mean service times, of the pipelines that come after the warm-up. The jobs of each follow one another
/// in the record: its steps come at one instant.
double mean_makespan(const World& world, std::uint64_t replication) {
  const JobRecord jobs = simulate(world, 0, replication).jobs;
  const SimTime from = kStart + static_cast<std::int64_t>(kWarmUp) * test::kMeanService;
  double sum = 0;
  double count = 0;
  for (std::uint64_t first = 0; first < jobs.size(); first += kSteps) {
    const SimTime submit = jobs.at(first).released;
    if (submit < from) continue;
    const SimTime end = std::max(jobs.at(first + 1).finished, jobs.at(first + 2).finished);
    sum += static_cast<double>((end - submit).count()) / static_cast<double>(test::kMeanService.count());
    count += 1;
  }
  return sum / count;
}

}  // namespace

TEST_CASE("Two steps side by side take as long as a fork-join of two queues", "[validation]") {
  std::vector<AgainstTheory> table;
  for (const double load : {0.3, 0.5, 0.8}) {
    const World world = fork_join(load);
    std::vector<double> means;
    for (std::uint64_t replication = 0; replication < kReplications; ++replication)
      means.push_back(mean_makespan(world, replication));
    table.push_back({"makespan at load " + std::to_string(load), mean_fork_join(load), means});
  }
  test::check_jointly(table, kStandardErrorMax);
}
