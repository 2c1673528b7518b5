#include "tests/validation/poisson_world.h"

#include <algorithm>

#include "models/simulation/simulate.h"

namespace stockout::test {
namespace {

/// Chosen before the first look at any result, and the same for every figure.
constexpr std::uint64_t kSeed = 20'261'121;

constexpr double kServicesPerHour = 3'600'000.0 / static_cast<double>(kMeanService.count());

SimDuration services(double count) {
  return SimDuration{static_cast<std::int64_t>(count * static_cast<double>(kMeanService.count()))};
}

/// By recorded job, the GPUs it asks for; empty if no figure wants to know, since making the jobs again takes
/// time.
std::vector<std::int64_t> sizes(const World& world, std::uint64_t replication,
                                const std::vector<Figure>& figures) {
  std::vector<std::int64_t> gpus;
  if (std::ranges::all_of(figures, [](const Figure& figure) { return figure.only_gpus == 0; })) return gpus;
  for_each_recorded_job(world, replication, [&](std::uint64_t, const Job& job) {
    gpus.push_back(world.shapes[index(job.shape)].gpus().count());
  });
  return gpus;
}

/// The figures over the jobs submitted at or after `from`.
std::vector<double> means(const World& world, SimTime from, std::uint64_t replication,
                          const std::vector<Figure>& figures) {
  const JobRecord jobs = simulate(world, 0, replication).jobs;
  const std::vector<std::int64_t> gpus = sizes(world, replication, figures);
  std::vector<double> sums(figures.size(), 0.0);
  std::vector<double> counts(figures.size(), 0.0);
  for (std::uint64_t job = 0; job < jobs.size(); ++job) {
    const JobOutcome outcome = jobs.at(job);
    if (outcome.released < from) continue;
    for (std::size_t i = 0; i < figures.size(); ++i) {
      if (figures[i].only_gpus != 0 && gpus[job] != figures[i].only_gpus) continue;
      sums[i] += figures[i].value(outcome);
      counts[i] += 1;
    }
  }
  for (std::size_t i = 0; i < figures.size(); ++i) sums[i] /= counts[i];
  return sums;
}

}  // namespace

World poisson_world(const PoissonPool& pool) {
  World world = generic_world();
  world.seed = kSeed;
  world.window_end = kStart + services(pool.warm_up + pool.jobs / pool.load);
  SyntheticDemand demand;
  demand.arrivals = PoissonArrivals{.peak_per_hour = pool.load * kServicesPerHour, .intensity = {}};
  for (const GangShare& share : pool.gangs) {
    demand.shapes.push_back({.weight = share.share, .shape = gang(world, share.gpus)});
  }
  demand.until = world.window_end;
  demand.work = pool.service;
  world.sources = {make_source("poisson", demand)};
  const PoolId zone = add_zone_pool(world, pool.gpus, pool.policy.lease_class, Discipline::fifo);
  const PriceLineId line = add_price(world, zone, Charge::direct, {});
  world.strategies = {make_strategy(pool.policy.name, {one_pool_leg(world, pool.policy, zone, line)})};
  return world;
}

std::vector<std::vector<double>> replicate(const World& world, double warm_up, std::size_t replications,
                                           const std::vector<Figure>& figures) {
  std::vector<std::vector<double>> results(figures.size());
  for (std::uint64_t replication = 0; replication < replications; ++replication) {
    const std::vector<double> row = means(world, kStart + services(warm_up), replication, figures);
    for (std::size_t i = 0; i < figures.size(); ++i) results[i].push_back(row[i]);
  }
  return results;
}

double is_lost(const JobOutcome& outcome) { return outcome.first_grant == kNever ? 1.0 : 0.0; }

double had_to_wait(const JobOutcome& outcome) { return outcome.first_grant > outcome.released ? 1.0 : 0.0; }

double wait(const JobOutcome& outcome) {
  return static_cast<double>((outcome.first_grant - outcome.released).count()) /
         static_cast<double>(kMeanService.count());
}

}  // namespace stockout::test
