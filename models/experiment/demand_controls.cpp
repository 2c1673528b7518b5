#include "models/experiment/demand_controls.h"

#include <algorithm>
#include <array>

#include "models/workload/arrivals/expected_demand.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

constexpr std::size_t kBatch = 256;  // jobs made at a time

const SyntheticDemand* poisson_demand(const Source& source) {
  const auto* demand = std::get_if<SyntheticDemand>(&source.demand);
  return demand != nullptr && std::holds_alternative<PoissonArrivals>(demand->arrivals) ? demand : nullptr;
}

struct Drawn {
  double jobs = 0;
  double gpu_hours = 0;
};

void add_drawn(const World& world, SourceId source, RandomStreams random, SimTime from, Drawn& drawn) {
  const auto cursor = open_demand(world.sources[index(source)].demand, source, random);
  std::array<Job, kBatch> batch;
  for (std::size_t count = cursor->next(batch); count > 0; count = cursor->next(batch)) {
    for (std::size_t i = 0; i < count; ++i) {
      const Job& job = batch[i];
      if (job.submit >= world.window_end) return;
      if (job.submit < from) continue;
      ++drawn.jobs;
      drawn.gpu_hours += static_cast<double>(job.work.count()) / kMsPerHour *
                         static_cast<double>(world.shapes[index(job.shape)].gpus().count());
    }
  }
}

}  // namespace

DemandControls::DemandControls(const World& world) : world_{world} {
  if (world.grid > SimDuration::zero()) return;
  add_side(false);
  add_side(true);
}

void DemandControls::add_side(bool tenants) {
  Side side;
  side.from = tenants ? world_.begin : kStart;
  for (std::size_t i = 0; i < world_.sources.size(); ++i) {
    const SyntheticDemand* demand = poisson_demand(world_.sources[i]);
    if (demand == nullptr || world_.sources[i].background != tenants) continue;
    const double jobs =
        expected_jobs(*demand, std::max(demand->from, side.from), std::min(demand->until, world_.window_end));
    side.sources.push_back(SourceId{static_cast<std::uint16_t>(i)});
    side.jobs += jobs;
    side.gpu_hours +=
        jobs * expected_gpu_hours(*demand, [&](ShapeId shape) { return world_.shapes[index(shape)].gpus(); });
  }
  if (side.jobs <= 0 || side.gpu_hours <= 0) return;
  const std::string whose = tenants ? "tenants' " : "";
  controls_.push_back({.name = whose + "jobs", .unit = "jobs", .expected = side.jobs});
  controls_.push_back({.name = whose + "work", .unit = "GPU-h", .expected = side.gpu_hours});
  sides_.push_back(std::move(side));
}

Surplus DemandControls::surplus(std::uint64_t replication) const {
  Surplus surplus{};
  std::size_t next = 0;
  for (const Side& side : sides_) {
    Drawn drawn;
    for (const SourceId source : side.sources)
      add_drawn(world_, source, RandomStreams{.seed = world_.seed, .replication = replication}, side.from,
                drawn);
    surplus.at(next++) = drawn.jobs / side.jobs - 1;
    surplus.at(next++) = drawn.gpu_hours / side.gpu_hours - 1;
  }
  return surplus;
}

}  // namespace stockout
