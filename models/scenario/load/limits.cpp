#include "models/scenario/load/limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/scenario/buying/tries.h"
#include "models/scenario/draft/lengths.h"
#include "models/workload/arrivals/expected_demand.h"
#include "sim/core/duration_text.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

constexpr double kMostJobs = 1e9;
constexpr double kMostGpuMs = 1e17;  // 3 million GPU-years: leases may hold some times what jobs ask for
constexpr double kMostHeldGpuMs = 1e18;
constexpr double kMostTriesInAll = 1e11;  // some hours

struct Volume {
  double jobs = 0;
  double gpu_ms = 0;
};

// How many times as long as on the reference a job of each shape runs at most.
std::vector<double> longest_runs(const World& world) {
  std::vector<double> times(world.shapes.size(), 1);
  for (const Strategy& strategy : world.strategies) {
    for (const Leg& leg : strategy.legs) {
      for (std::size_t shape = 0; shape < leg.candidates.size(); ++shape) {
        for (const Candidate& place : leg.candidates[shape])
          times[shape] = std::max(times[shape], static_cast<double>(kReferenceRate) / place.rate_ppm);
      }
    }
  }
  return times;
}

double gpus_of(const World& world, const std::vector<double>& times, ShapeId shape) {
  return times[index(shape)] * static_cast<double>(world.shapes[index(shape)].gpus().count());
}

Volume of_trace(const TraceDemand& demand, const World& world, const std::vector<double>& times) {
  Volume volume{.jobs = static_cast<double>(demand.jobs->size())};
  for (std::size_t i = 0; i < demand.jobs->size(); ++i) {
    const double gpus = gpus_of(world, times, demand.jobs->shape[i]);
    volume.gpu_ms += gpus * static_cast<double>(demand.jobs->work[i].count());
  }
  if (!demand.resampled) return volume;
  // Blocks may repeat the busiest part of the trace: count a whole trace for each.
  const double blocks = std::ceil(static_cast<double>(demand.resample.length.count()) /
                                  static_cast<double>(demand.resample.block.count()));
  return {.jobs = volume.jobs * blocks, .gpu_ms = volume.gpu_ms * blocks};
}

// How much more than written comes at most; the room for it is kept all the time.
double most_demand(const Source& source, const World& world) {
  return std::visit(
      [&](const auto& demand) { return std::max(1.0, demand.factor.most(kStart, world.window_end)); },
      source.demand);
}

double jobs_of(const SyntheticDemand& demand, const World& world) {
  const SimTime last = std::min(demand.until, world.window_end + world.drain_limit);
  if (const auto* poisson = std::get_if<PoissonArrivals>(&demand.arrivals))
    return poisson->peak_per_hour * mean_batch(*poisson) * static_cast<double>((last - demand.from).count()) /
           kMsPerHour;
  const auto& batches = std::get<ScheduledArrivals>(demand.arrivals);
  return static_cast<double>(batches.at.size()) * batches.count;
}

Volume of_synthetic(const SyntheticDemand& demand, double jobs, const World& world,
                    const std::vector<double>& times) {
  double gpus = 0;
  for (const WeightedShape& option : demand.shapes) {
    gpus = std::max(gpus, gpus_of(world, times, option.shape));
  }
  return {.jobs = jobs, .gpu_ms = jobs * gpus * cut_mean_ms(demand.work)};
}

// `first`: of the source that it follows, or its own.
Volume volume_of(const Demand& demand, const Demand& first, const World& world,
                 const std::vector<double>& times) {
  if (const auto* trace = std::get_if<TraceDemand>(&demand)) return of_trace(*trace, world, times);
  const auto* trace = std::get_if<TraceDemand>(&first);
  const double jobs = trace != nullptr ? of_trace(*trace, world, times).jobs
                                       : jobs_of(std::get<SyntheticDemand>(first), world);
  return of_synthetic(std::get<SyntheticDemand>(demand), jobs, world, times);
}

// Of a trace the longest; where waits are drawn their mean, as tries grow in proportion to them at most.
SimDuration bounded_wait(const Demand& demand) {
  if (const auto* synthetic = std::get_if<SyntheticDemand>(&demand))
    return SimDuration{std::llround(cut_mean_ms(synthetic->max_wait))};
  const auto& waits = std::get<TraceDemand>(demand).jobs->max_wait;
  return waits.empty() ? kForever : *std::ranges::max_element(waits);
}

SimDuration length_of(const World& world) {
  const SimDuration drain = world.end == RunEnd::drain ? world.drain_limit : SimDuration::zero();
  return (world.window_end - world.begin) + drain;
}

void check_tries(const Draft& draft, const std::vector<double>& jobs) {
  const World& world = draft.scenario.world;
  const auto nodes = draft.root.list("strategies");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double tries = 0;
    for (std::size_t source = 0; source < jobs.size(); ++source) {
      if (world.sources[source].background) continue;
      const SimDuration wait = bounded_wait(world.sources[source].demand);
      tries += jobs[source] * most_tries(world.strategies[i], length_of(world), wait);
    }
    if (tries <= kMostTriesInAll) continue;
    nodes[i].fail(
        fmt::format("its jobs may ask for machines up to {:.1g} times in a run, if they never get them; at "
                    "most {:.0g} are simulated: use a longer \"retry_interval\", \"after\" or \"run_max\", "
                    "fewer \"retries\", a \"max_wait\" of the jobs, or a shorter \"drain_limit\"",
                    tries, kMostTriesInAll));
  }
}

void check_reservations(const Draft& draft) {
  const World& world = draft.scenario.world;
  double asked = 0;
  for (const HeldPool& held : world.held)
    asked += static_cast<double>(length_of(world).count()) / static_cast<double>(held.retry_every.count());
  if (asked <= kMostTriesInAll) return;
  draft.root.at("reservations")
      .fail(
          fmt::format("they may be asked for up to {:.1g} times in a run; at most {:.0g} are simulated: use "
                      "a longer \"retry_every\"",
                      asked, kMostTriesInAll));
}

void check_held_time(const Draft& draft) {
  const World& world = draft.scenario.world;
  double gpu_ms = 0;
  for (const HeldPool& held : world.held)
    gpu_ms += static_cast<double>(held.gpus.count()) * static_cast<double>(length_of(world).count());
  if (gpu_ms <= kMostHeldGpuMs) return;
  draft.root.at("reservations")
      .fail(
          fmt::format("they hold up to {:.3g} GPU-hours in a run; at most {:.3g} can be counted: hold fewer "
                      "machines, or simulate a shorter window",
                      gpu_ms / kMsPerHour, kMostHeldGpuMs / kMsPerHour));
}

}  // namespace

void check_times(const Draft& draft) {
  const World& world = draft.scenario.world;
  const SimDuration length = length_of(world);
  if (world.grid > world.window_end - kStart) {
    draft.root.at("grid").fail(fmt::format("must be at most the window, {}, but is {}",
                                           format_duration(world.window_end - kStart),
                                           format_duration(world.grid)));
  }
  if (length > kLongestRun) {
    draft.root.fail(fmt::format("warm_up, window and drain_limit are {} in all; the longest run is {}",
                                format_duration(length), format_duration(kLongestRun)));
  }
}

void check_sizes(Draft& draft) {
  const World& world = draft.scenario.world;
  Volume all;
  std::vector<double> jobs;
  const std::vector<double> longest = longest_runs(world);
  for (const Source& source : world.sources) {
    const Source& first = source.step || source.set ? world.sources[index(source.followed())] : source;
    const Volume one = volume_of(source.demand, first.demand, world, longest);
    const double times = most_demand(first, world);
    jobs.push_back(times * one.jobs);
    all.jobs += times * one.jobs;
    all.gpu_ms += times * one.gpu_ms;
  }
  if (all.jobs > kMostJobs) {
    draft.root.fail(fmt::format("up to {:.3g} jobs would come in a run; at most {:.3g} are simulated",
                                all.jobs, kMostJobs));
  }
  if (all.gpu_ms > kMostGpuMs) {
    draft.root.fail(fmt::format("the jobs ask for {:.3g} GPU-hours; at most {:.3g} can be counted",
                                all.gpu_ms / kMsPerHour, kMostGpuMs / kMsPerHour));
  }
  check_tries(draft, jobs);
  check_reservations(draft);
  check_held_time(draft);
  draft.scenario.most_jobs = all.jobs;
}

}  // namespace stockout
