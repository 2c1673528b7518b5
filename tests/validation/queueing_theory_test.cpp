// The simulator against queueing theory, on synthetic Poisson demand through the whole engine.
// Source: figures.md F10 and models/theory. Seeds were fixed before the first look; each table is judged as
// one (estimate.h).

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/theory/gang_loss.h"
#include "models/theory/queues.h"
#include "tests/validation/estimate.h"
#include "tests/validation/poisson_world.h"

using namespace stockout;
using namespace std::chrono_literals;
using test::AgainstTheory;
using test::PoissonPool;

namespace {

constexpr std::size_t kReplications = 20;

/// Largest standard error let pass, as a share of the value.
constexpr double kStandardErrorMax = 0.04;

struct Row {
  double load;
  std::int32_t servers;
  double loss_jobs;   // of each replication
  double queue_jobs;  // of each replication; 0: the queue is unstable
  double warm_up;     // of the queue, in mean service times: many of its relaxation times
};

// The rows of F10. Rare losses and waits, and waits close to saturation, are strongly correlated: they get
// more jobs.
const std::vector<Row> kTable{
    {0.5, 1, 30'000, 30'000, 200},  {0.9, 1, 30'000, 150'000, 5'000}, {1.6, 2, 30'000, 50'000, 1'000},
    {2, 3, 30'000, 30'000, 200},    {6, 10, 50'000, 50'000, 100},     {8, 10, 50'000, 50'000, 200},
    {9, 10, 50'000, 60'000, 1'000}, {10, 10, 50'000, 0, 0},           {50, 64, 60'000, 400'000, 50},
    {60, 64, 50'000, 100'000, 200}, {230, 256, 100'000, 550'000, 50},
};

std::string name_of(const std::string& what, const Row& row) {
  return what + " at load " + std::to_string(row.load) + " on " + std::to_string(row.servers);
}

AgainstTheory loss_of(const Row& row) {
  PoissonPool pool{.gpus = row.servers, .load = row.load, .policy = test::loss_policy()};
  pool.jobs = row.loss_jobs;
  pool.warm_up = 50;
  const auto results =
      test::replicate(test::poisson_world(pool), pool.warm_up, kReplications, {{test::is_lost}});
  return {name_of("lost", row), erlang_b(row.servers, row.load), results[0]};
}

void add_queue(const Row& row, std::vector<AgainstTheory>& table) {
  PoissonPool pool{.gpus = row.servers, .load = row.load, .policy = test::queue_policy()};
  pool.jobs = row.queue_jobs;
  pool.warm_up = row.warm_up;
  const auto results = test::replicate(test::poisson_world(pool), pool.warm_up, kReplications,
                                       {{test::had_to_wait}, {test::wait}});
  table.push_back({name_of("has to wait", row), erlang_c(row.servers, row.load), results[0]});
  table.push_back({name_of("mean wait", row), mean_wait_mmc(row.servers, row.load), results[1]});
}

constexpr double kPriorityWarmUp = 1'000;  // mean service times

// One held machine; class 0 has priority over class 1.
World prioritized_world(double urgent, double other) {
  World world = test::poisson_world(
      {.load = urgent, .policy = test::queue_policy(), .jobs = 120'000 * urgent, .warm_up = kPriorityWarmUp});
  world.classes = {{.name = "urgent", .priority = 1}, {.name = "other"}};
  Source& second = world.sources.emplace_back(world.sources[0]);
  auto& demand = std::get<SyntheticDemand>(second.demand);
  demand.job_class = ClassId{1};
  std::get<PoissonArrivals>(demand.arrivals).peak_per_hour *= other / urgent;
  world.pools[0].capacity.clear();
  const PoolId held = test::add_held_pool(world, PoolId{0}, 1, Discipline::fifo);
  world.held[0].line = test::add_price(world, held, Charge::held, {});
  world.held[0].sublet = test::add_price(world, held, Charge::sublet, {});
  Policy policy = test::queue_policy();
  policy.held = true;
  policy.lease_class = LeaseClass::reserved;
  Strategy& strategy = world.strategies[0];
  strategy.held = {held};
  strategy.legs = {test::one_pool_leg(world, policy, held, world.held[0].sublet)};
  return world;
}

// By class, over jobs that come after the warm-up.
std::array<double, 2> mean_waits(const World& world, std::uint64_t replication) {
  const JobRecord jobs = simulate(world, 0, replication).jobs;
  const SimTime from = kStart + std::chrono::duration_cast<SimDuration>(kPriorityWarmUp * test::kMeanService);
  std::array<double, 2> sums{};
  std::array<double, 2> counts{};
  for_each_recorded_job(world, replication, [&](std::uint64_t number, const Job& job) {
    if (job.submit < from) return;
    sums[index(job.job_class)] += test::wait(jobs.at(number));
    counts[index(job.job_class)] += 1;
  });
  return {sums[0] / counts[0], sums[1] / counts[1]};
}

}  // namespace

TEST_CASE("Losses and waits of Poisson demand are those of Erlang B and C, the whole table", "[validation]") {
  std::vector<AgainstTheory> table;
  for (const Row& row : kTable) {
    table.push_back(loss_of(row));
    if (row.queue_jobs > 0) add_queue(row, table);
  }
  REQUIRE(table.size() == 31);
  test::check_jointly(table, kStandardErrorMax);
}

TEST_CASE("Jobs that come in random batches wait as in M^[X]/M/1", "[validation]") {
  struct Case {
    double load;
    std::vector<WeightedCount> batches;
    double mean;
    double mean_square;
  };
  std::vector<AgainstTheory> table;
  for (const Case& row :
       {Case{0.5, {{1, 4}}, 4, 16}, Case{0.8, {{3, 1}, {1, 5}}, 2, 7}, Case{0.5, {{9, 1}, {1, 21}}, 3, 45}}) {
    PoissonPool pool{.gpus = 1, .load = row.load, .policy = test::queue_policy()};
    pool.jobs = 100'000;
    pool.warm_up = 2'000;
    World world = test::poisson_world(pool);
    auto& arrivals = std::get<PoissonArrivals>(std::get<SyntheticDemand>(world.sources[0].demand).arrivals);
    arrivals.peak_per_hour /= row.mean;
    arrivals.batches = row.batches;
    const auto results =
        test::replicate(world, pool.warm_up, kReplications, {{test::had_to_wait}, {test::wait}});
    const BatchQueue theory = batch_queue_mm1(row.load, row.mean, row.mean_square);
    const std::string batches = " in batches of mean " + std::to_string(row.mean);
    table.push_back({"has to wait" + batches, theory.has_to_wait, results[0]});
    table.push_back({"mean wait" + batches, theory.mean_wait, results[1]});
  }
  test::check_jointly(table, kStandardErrorMax);
}

TEST_CASE("Two priorities of waiting jobs wait as Cobham says", "[validation]") {
  std::vector<AgainstTheory> table;
  for (const auto& [urgent, other] : {std::pair{0.3, 0.5}, {0.5, 0.3}, {0.2, 0.2}}) {
    const World world = prioritized_world(urgent, other);
    std::vector<std::vector<double>> waits(2);
    for (std::uint64_t replication = 0; replication < kReplications; ++replication) {
      const std::array<double, 2> means = mean_waits(world, replication);
      for (std::size_t i = 0; i < 2; ++i) waits[i].push_back(means[i]);
    }
    const PriorityWaits theory = priority_waits_mm1(urgent, other);
    table.push_back({"urgent at " + std::to_string(urgent), theory.first, waits[0]});
    table.push_back({"others at " + std::to_string(other), theory.second, waits[1]});
  }
  test::check_jointly(table, kStandardErrorMax);
}

TEST_CASE("Requests with a maximum wait expire as often as the queue with constant patience says",
          "[validation]") {
  struct Case {
    int servers;
    double load;
    double patience;  // in mean service times
  };
  std::vector<AgainstTheory> table;
  for (const Case& row : {Case{1, 0.8, 0.5}, {10, 9, 0.2}, {10, 10, 0.3}, {10, 12, 0.1}, {64, 64, 0.05}}) {
    PoissonPool pool{.gpus = row.servers, .load = row.load, .policy = test::queue_policy()};
    pool.policy.max_wait =
        SimDuration{std::llround(row.patience * static_cast<double>(test::kMeanService / 1ms))};
    pool.jobs = 60'000;
    pool.warm_up = 100;
    const auto results =
        test::replicate(test::poisson_world(pool), pool.warm_up, kReplications, {{test::is_lost}});
    table.push_back({"expired on " + std::to_string(row.servers),
                     abandoned_mmc(row.servers, row.load, row.patience), results[0]});
  }
  test::check_jointly(table, kStandardErrorMax);
}

// Machines in use are those of one loss system under both loads, since a spot lease that yields is replaced
// at once; on-demand sees nothing of spot. So on-demand is refused as in Erlang B under its own load, spot
// under both, and the difference is how often an on-demand request takes a machine from spot.
TEST_CASE("On-demand over spot is refused, and reclaims, as often as Erlang B says", "[validation]") {
  constexpr int kServers = 10;
  constexpr double kOnDemand = 6;
  constexpr double kSpot = 3;
  World world = test::poisson_world(
      {.gpus = kServers, .load = kOnDemand, .policy = test::loss_policy(), .jobs = 60'000});
  world.classes = {{.name = "on-demand"}, {.name = "spot"}};
  world.pools[0].capacity[0].classes[static_cast<std::size_t>(LeaseClass::spot)] = true;
  Source& first = world.sources.emplace_back(world.sources[0]);
  auto& demand = std::get<SyntheticDemand>(first.demand);
  demand.job_class = ClassId{1};
  std::get<PoissonArrivals>(demand.arrivals).peak_per_hour *= kSpot / kOnDemand;
  Strategy& strategy = world.strategies[0];
  strategy.legs[0].classes = {true, false};
  strategy.legs.push_back(strategy.legs[0]);
  strategy.legs[1].policy.lease_class = LeaseClass::spot;
  strategy.legs[1].policy.restarts = 0;
  strategy.legs[1].classes = {false, true};
  std::vector<std::vector<double>> shares(3);
  for (std::size_t replication = 0; replication < kReplications; ++replication) {
    const RunRecord record = simulate(world, 0, replication);
    const auto& classes = record.pools[0].classes;
    const ClassTotals& strong = classes[static_cast<std::size_t>(LeaseClass::on_demand)];
    const ClassTotals& weak = classes[static_cast<std::size_t>(LeaseClass::spot)];
    const auto asked = static_cast<double>(strong.requests);
    shares[0].push_back(static_cast<double>(strong.refusals) / asked);
    shares[1].push_back(static_cast<double>(weak.refusals) / static_cast<double>(weak.requests));
    shares[2].push_back(static_cast<double>(weak.preemptions) / asked);
  }
  const double alone = erlang_b(kServers, kOnDemand);
  const double both = erlang_b(kServers, kOnDemand + kSpot);
  test::check_jointly({{"on-demand refused", alone, shares[0]},
                       {"spot refused", both, shares[1]},
                       {"reclaimed per on-demand request", both - alone, shares[2]}},
                      kStandardErrorMax);
}

TEST_CASE("Gangs of mixed sizes are lost as often as Kaufman and Roberts say", "[validation]") {
  const std::vector<std::vector<test::GangShare>> mixes{
      {{.share = 0.60, .gpus = 1},
       {.share = 0.25, .gpus = 2},
       {.share = 0.10, .gpus = 4},
       {.share = 0.05, .gpus = 8}},
      {{.share = 0.75, .gpus = 1}, {.share = 0.25, .gpus = 16}},
      {{.share = 0.5, .gpus = 3}, {.share = 0.3, .gpus = 5}, {.share = 0.2, .gpus = 7}},
  };
  constexpr double kLoad = 12;
  constexpr std::int32_t kGpus = 48;
  std::vector<AgainstTheory> table;
  for (const auto& mix : mixes) {
    PoissonPool pool{.gpus = kGpus, .load = kLoad, .gangs = mix, .policy = test::loss_policy()};
    pool.jobs = 60'000;
    pool.warm_up = 50;
    std::vector<GangLoad> loads;
    std::vector<test::Figure> figures;
    for (const test::GangShare& gang : mix) {
      loads.push_back({.load = kLoad * gang.share, .gpus = gang.gpus});
      figures.push_back({.value = test::is_lost, .only_gpus = gang.gpus});
    }
    const auto results = test::replicate(test::poisson_world(pool), pool.warm_up, kReplications, figures);
    const std::vector<double> theory = gang_blocking(kGpus, loads);
    for (std::size_t i = 0; i < mix.size(); ++i) {
      table.push_back({"gangs of " + std::to_string(mix[i].gpus), theory[i], results[i]});
    }
  }
  test::check_jointly(table, kStandardErrorMax);
}

TEST_CASE("One server makes constant and lognormal services wait as Pollaczek and Khinchine say",
          "[validation]") {
  struct Case {
    double load;
    double sigma;  // of the logarithm; 0: constant
  };
  std::vector<AgainstTheory> table;
  for (const Case& law : {Case{0.5, 0.0}, Case{0.8, 0.0}, Case{0.5, 0.8}, Case{0.8, 0.8}}) {
    PoissonPool pool{.gpus = 1, .load = law.load, .policy = test::queue_policy()};
    pool.service = {.kind = Law::Kind::constant, .a = test::kMeanService};
    if (law.sigma > 0) {
      const double median =
          static_cast<double>(test::kMeanService.count()) * std::exp(-law.sigma * law.sigma / 2);
      pool.service = {
          .kind = Law::Kind::lognormal, .a = SimDuration{std::llround(median)}, .b = {}, .sigma = law.sigma};
    }
    pool.jobs = 60'000;
    pool.warm_up = 1'000;
    const auto results =
        test::replicate(test::poisson_world(pool), pool.warm_up, kReplications, {{test::wait}});
    const double squared_variation = std::exp(law.sigma * law.sigma) - 1;
    table.push_back({"load " + std::to_string(law.load) + " sigma " + std::to_string(law.sigma),
                     mean_wait_mg1(law.load, squared_variation), results[0]});
  }
  test::check_jointly(table, kStandardErrorMax);
}
