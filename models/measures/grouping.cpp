#include "models/measures/grouping.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {
namespace {

std::size_t gpu_of_name(const World& world, const std::string& name) {
  const auto found = std::find(world.gpu_types.begin(), world.gpu_types.end(), name);
  return static_cast<std::size_t>(found - world.gpu_types.begin());
}

std::size_t gpu_of_part(const World& world, const Part& part) {
  const std::size_t gpu = index(world.machines[index(part.machine)].gpu);
  STOCKOUT_CHECK(gpu < world.gpu_types.size());
  return gpu;
}

std::size_t gpu_of_shape(const World& world, const Leg& leg, ShapeId shape) {
  const std::size_t several = world.gpu_types.size();
  if (index(shape) >= leg.candidates.size() || leg.candidates[index(shape)].empty()) {
    return gpu_of_name(world, world.shapes[index(shape)].gpu);
  }
  std::optional<std::size_t> gpu;
  for (const Candidate& candidate : leg.candidates[index(shape)]) {
    for (const Part& part : candidate.parts) {
      if (part.machines == 0) continue;
      const std::size_t one = gpu_of_part(world, part);
      if (gpu && *gpu != one) return several;
      gpu = one;
    }
  }
  return gpu.value_or(several);
}

std::vector<std::string> with(std::vector<std::string> names, std::string_view last) {
  names.emplace_back(last);
  return names;
}

}  // namespace

std::vector<std::string> group_names(const World& world, GroupBy by) {
  std::vector<std::string> names;
  switch (by) {
    case GroupBy::nothing:
      return {};
    case GroupBy::job_class:
      for (const JobClass& job_class : world.classes) names.push_back(job_class.name);
      return with(std::move(names), "idle held");
    case GroupBy::user:
      return with(world.users, "idle held");
    case GroupBy::gpu:
      return with(world.gpu_types, "several");
    case GroupBy::pool:
      for (std::size_t i = 0; i < world.pool_count(); ++i) {
        names.push_back(world.pool(static_cast<PoolId>(i)).name);
      }
      return names;
  }
  return names;
}

JobGpus::JobGpus(const World& world, const Strategy& strategy) {
  for (const Leg& leg : strategy.legs) {
    std::vector<std::size_t>& types = types_.emplace_back();
    for (std::size_t shape = 0; shape < world.shapes.size(); ++shape) {
      types.push_back(gpu_of_shape(world, leg, static_cast<ShapeId>(shape)));
    }
  }
}

bool is_by_gpu(const World& world, std::size_t line) {
  const PriceLine& price = world.price_lines[line];
  if (price.charge == Charge::held) return false;
  if (world.is_held(price.pool)) return world.held_pool(price.pool).share;
  return std::ranges::any_of(world.held,
                             [&](const HeldPool& held) { return held.share && index(held.sublet) == line; });
}

std::vector<LinePlace> line_places(const World& world) {
  std::vector<LinePlace> places;
  for (const PriceLine& line : world.price_lines) {
    const MachineType& machine = world.machines[index(line.machine)];
    STOCKOUT_CHECK(index(machine.gpu) < world.gpu_types.size());
    places.push_back({.pool = line.pool, .gpu = index(machine.gpu), .gpus = machine.gpus});
  }
  for (std::size_t i = 0; i < world.held.size(); ++i) {
    const auto pool = static_cast<PoolId>(world.pools.size() + i);
    places[index(world.held[i].line)].pool = pool;
    places[index(world.held[i].sublet)].pool = pool;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (is_by_gpu(world, i)) places[i].gpus = GpuCount{1};
  }
  return places;
}

std::optional<std::size_t> row_of_job(GroupBy by, const Job& job, std::size_t gpu) {
  switch (by) {
    case GroupBy::job_class:
      return index(job.job_class);
    case GroupBy::user:
      return index(job.user);
    case GroupBy::gpu:
      return gpu;
    case GroupBy::nothing:
    case GroupBy::pool:
      break;
  }
  return std::nullopt;
}

std::optional<std::size_t> row_of_usage(GroupBy by, const UsageKey& key, Charge charge,
                                        const LinePlace& place) {
  const bool held = charge == Charge::held;
  switch (by) {
    case GroupBy::job_class:
      return held ? std::nullopt : std::optional{index(key.job_class)};
    case GroupBy::user:
      return held ? std::nullopt : std::optional{index(key.user)};
    case GroupBy::gpu:
      return place.gpu;
    case GroupBy::pool:
      return index(place.pool);
    case GroupBy::nothing:
      break;
  }
  return std::nullopt;
}

}  // namespace stockout
