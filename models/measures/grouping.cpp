#include "models/measures/grouping.h"

#include <algorithm>
#include <set>
#include <utility>

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

const std::string& cohort_name(const kueue::ClusterQueue& queue) {
  static const std::string kNoCohort = "no cohort";
  return queue.cohort.empty() ? kNoCohort : queue.cohort;
}

// Those of cluster queues; "no cohort" behind the others.
std::vector<std::string> cohort_names(const World& world) {
  std::set<std::pair<bool, std::string>> names;
  if (world.kueue) {
    for (const auto& [name, queue] : world.kueue->objects.cluster_queues)
      names.emplace(queue.cohort.empty(), cohort_name(queue));
  }
  std::vector<std::string> in_order;
  for (const auto& [is_none, name] : names) in_order.push_back(name);
  return in_order;
}

std::vector<std::string> queue_names(const World& world) {
  std::vector<std::string> names;
  if (!world.kueue) return names;
  for (const auto& [name, queue] : world.kueue->objects.cluster_queues) names.push_back(name);
  return names;
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
    case GroupBy::cluster_queue:
      return with(queue_names(world), "idle held");
    case GroupBy::cohort:
      return with(cohort_names(world), "idle held");
    case GroupBy::partition:
      return with(partition_rows(world), "idle held");
    case GroupBy::account:
      return with(account_rows(world), "idle held");
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
    places.push_back(
        {.pool = line.pool, .gpu = index(machine.gpu), .gpus = machine.gpus, .has_gpus = machine.has_gpus});
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

GroupRows::GroupRows(const World& world, const Strategy& strategy, GroupBy by) : world_{world}, by_{by} {
  if (by == GroupBy::partition) partitions_.emplace(world, strategy);
  if (by == GroupBy::account) accounts_.emplace(world);
  if (!is_by_queues(by) || !world.kueue) return;
  const std::vector<std::string> names = group_names(world, by);
  for (const auto& [name, queue] : world.kueue->objects.cluster_queues) {
    const auto row = std::ranges::find(names, by == GroupBy::cohort ? cohort_name(queue) : name);
    rows_of_queues_[name] = static_cast<std::size_t>(row - names.begin());
  }
}

std::optional<std::size_t> GroupRows::of_owner(ClassId job_class, UserId user) const {
  if (by_ == GroupBy::job_class) return index(job_class);
  if (by_ == GroupBy::user) return index(user);
  if (accounts_) return accounts_->of(job_class, user);
  if (!is_by_queues(by_) || !world_.kueue) return std::nullopt;
  return of_queue(world_.kueue->cluster_queue_of(job_class, user).name);
}

std::optional<std::size_t> GroupRows::of_job(const Job& job, std::uint8_t leg, std::size_t gpu) const {
  if (partitions_) return partitions_->of_job(job, leg);
  return by_ == GroupBy::gpu ? std::optional{gpu} : of_owner(job.job_class, job.user);
}

std::optional<std::size_t> GroupRows::of_usage(const UsageKey& key, Charge charge,
                                               const LinePlace& place) const {
  if (by_ == GroupBy::gpu) return place.gpu;
  if (by_ == GroupBy::pool) return index(place.pool);
  if (charge == Charge::held) return std::nullopt;
  return partitions_ ? partitions_->of_usage(key) : of_owner(key.job_class, key.user);
}

}  // namespace stockout
