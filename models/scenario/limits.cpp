#include "models/scenario/limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/scenario/lengths.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

constexpr double kMostJobs = 1e9;
constexpr double kMostGpuMs = 1e17;  // 3 million GPU-years: leases may hold some times what jobs ask for
constexpr std::size_t kMostUsageKeys = std::size_t{1} << 26;
constexpr double kMsPerHour = 3'600'000;

struct Volume {
  double jobs = 0;
  double gpu_ms = 0;
};

Volume of_trace(const TraceDemand& demand, const World& world) {
  Volume volume{.jobs = static_cast<double>(demand.jobs->size())};
  for (std::size_t i = 0; i < demand.jobs->size(); ++i) {
    const auto gpus = static_cast<double>(world.shapes[index(demand.jobs->shape[i])].gpus().count());
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

Volume of_synthetic(const SyntheticDemand& demand, const World& world) {
  const SimTime last = std::min(demand.until, world.window_end + world.drain_limit);
  double jobs = 0;
  if (const auto* poisson = std::get_if<PoissonArrivals>(&demand.arrivals)) {
    jobs = poisson->peak_per_hour * static_cast<double>((last - demand.from).count()) / kMsPerHour;
  } else {
    const auto& batches = std::get<ScheduledArrivals>(demand.arrivals);
    jobs = static_cast<double>(batches.at.size()) * batches.count;
  }
  double gpus = 0;
  for (const WeightedShape& option : demand.shapes) {
    gpus = std::max(gpus, static_cast<double>(world.shapes[index(option.shape)].gpus().count()));
  }
  return {.jobs = jobs, .gpu_ms = jobs * gpus * cut_mean_ms(demand.work)};
}

}  // namespace

void check_times(const Draft& draft) {
  const World& world = draft.scenario.world;
  const SimDuration drain = world.end == RunEnd::drain ? world.drain_limit : SimDuration::zero();
  const SimDuration length = (world.window_end - world.begin) + drain;
  if (length > kLongestRun) {
    draft.root.fail(fmt::format("warm_up, window and drain_limit are {} in all; the longest run is {}",
                                format_duration(length), format_duration(kLongestRun)));
  }
}

void check_sizes(const Draft& draft) {
  const World& world = draft.scenario.world;
  Volume all;
  for (const Source& source : world.sources) {
    const auto* trace = std::get_if<TraceDemand>(&source.demand);
    const Volume one = trace != nullptr ? of_trace(*trace, world)
                                        : of_synthetic(std::get<SyntheticDemand>(source.demand), world);
    const double times = most_demand(source, world);
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
  const double keys = static_cast<double>(world.price_lines.size()) *
                      static_cast<double>(world.users.size()) * static_cast<double>(world.classes.size());
  if (keys > static_cast<double>(kMostUsageKeys)) {
    draft.root.fail(
        fmt::format("{} prices times {} users times {} job classes are more than the {} kinds of usage that "
                    "are kept: use fewer pools, or keep fewer users",
                    world.price_lines.size(), world.users.size(), world.classes.size(), kMostUsageKeys));
  }
}

}  // namespace stockout
