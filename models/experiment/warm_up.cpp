#include "models/experiment/warm_up.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "models/simulation/simulate.h"
#include "models/workload/arrivals/expected_demand.h"
#include "sim/core/duration_text.h"
#include "sim/stats/mser.h"

namespace stockout {
namespace {

using std::chrono::days;

// A batch is a day, so that what swings over the day looks the same in each.
constexpr SimDuration kObservation = SimDuration{days{1}} / static_cast<std::int64_t>(kMserBatch);

// Replications of a pilot are none that a comparison has.
constexpr std::uint64_t kFirstPilot = 1'000'000;

/// GPUs of a pool's tenants over a pilot, as the mean of each observation, summed over runs.
class Occupancy {
 public:
  Occupancy(SimTime begin, std::size_t observations) : begin_{begin}, gpu_ms_(observations, 0.0) {}

  void add(const TenantStay& stay) {
    const auto first = static_cast<std::size_t>((stay.from - begin_) / kObservation);
    for (std::size_t i = first; i < gpu_ms_.size(); ++i) {
      const SimTime from = begin_ + kObservation * static_cast<std::int64_t>(i);
      if (from >= stay.until) break;
      const SimDuration within = std::min(stay.until, from + kObservation) - std::max(stay.from, from);
      gpu_ms_[i] += static_cast<double>(within.count()) * static_cast<double>(stay.gpus.count());
    }
  }

  [[nodiscard]] Truncation cut() const { return mser5(gpu_ms_); }

 private:
  SimTime begin_;
  std::vector<double> gpu_ms_;
};

// Tenants alone, from the begin of the world on; capacity stays what it is at the start of the window.
World pilot_world(World world) {
  std::erase_if(world.sources, [](const Source& source) { return !source.background; });
  world.strategies = {world.sources.front().tenants.front()};
  world.window_end = kStart + (kStart - world.begin);
  world.end = RunEnd::time;
  for (Pool& pool : world.pools) {
    for (CapacitySource& source : pool.capacity)
      std::erase_if(source.steps, [](const CapacityStep& step) { return step.at > kStart; });
  }
  return world;
}

// A warm-up is found in seconds, whatever the scenario asks for.
void check_pilot(const World& world, const SourceRef& asked_for) {
  constexpr double kMostJobs = 2e7;
  double jobs = 0;
  for (const Source& source : world.sources) {
    const auto& demand = std::get<SyntheticDemand>(source.demand);
    jobs += static_cast<double>(kPilotRuns) * expected_jobs(demand, world.begin, world.window_end);
  }
  if (jobs <= kMostJobs) return;
  throw InputError{
      asked_for,
      fmt::format(
          "its pilot would have {:.1g} jobs of tenants ({} runs of {}); at most {:.0g} are looked at: let it "
          "look for a shorter time (\"most\"), or give a duration",
          jobs, kPilotRuns, format_duration(world.window_end - world.begin), kMostJobs)};
}

std::vector<Occupancy> run_pilot(const World& world) {
  const auto observations = static_cast<std::size_t>((world.window_end - world.begin) / kObservation);
  std::vector<Occupancy> pools(world.pool_count(), Occupancy{world.begin, observations});
  Logs logs;
  logs.on_tenant = [&](const TenantStay& stay) { pools[index(stay.pool)].add(stay); };
  for (std::size_t run = 0; run < kPilotRuns; ++run)
    static_cast<void>(simulate(world, 0, kFirstPilot + run, logs));
  return pools;
}

}  // namespace

SimDuration find_warm_up(const World& world, const SourceRef& asked_for) {
  const World pilot = pilot_world(world);
  check_pilot(pilot, asked_for);
  const std::vector<Occupancy> pools = run_pilot(pilot);
  SimDuration longest = days{1};
  for (std::size_t i = 0; i < pools.size(); ++i) {
    const Truncation cut = pools[i].cut();
    if (!cut.found) {
      throw InputError{
          asked_for,
          fmt::format(
              "the tenants of {} do not settle within {} (MSER-5): let it look for longer (\"most\"), ask "
              "for less load, or give a duration",
              world.pool(static_cast<PoolId>(i)).name, format_duration(kStart - world.begin))};
    }
    longest = std::max(longest, kObservation * static_cast<std::int64_t>(cut.observations));
  }
  return longest;
}

}  // namespace stockout
