#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/measures/measures.h"
#include "models/measures/slurm_rows.h"
#include "models/world/world.h"

namespace stockout {

/// Which GPU type a job is counted under: that of the machines its last leg asks for, for its shape. One past
/// the last type, "several", if they are of more than one, or if no pool has any for it and its shape names
/// none.
class JobGpus {
 public:
  JobGpus(const World& world, const Strategy& strategy);

  [[nodiscard]] std::size_t of(std::uint8_t leg, ShapeId shape) const { return types_[leg][index(shape)]; }

 private:
  std::vector<std::vector<std::size_t>> types_;  // by leg and shape
};

/// Where things belong, by price line.
struct LinePlace {
  PoolId pool{};        // whose lease it pays for; of held and sublet lines: the held pool
  std::size_t gpu = 0;  // GPU type of the machine
  GpuCount gpus{};      // of one machine
  bool has_gpus = true;
};

/// Whether the line is the price of one GPU: of held machines that jobs share.
[[nodiscard]] bool is_by_gpu(const World& world, std::size_t line);

/// By PriceLineId.
[[nodiscard]] std::vector<LinePlace> line_places(const World& world);

/// Which row of a grouping things belong to, under a strategy.
class GroupRows {
 public:
  GroupRows(const World& world, const Strategy& strategy, GroupBy by);

  [[nodiscard]] GroupBy by() const { return by_; }
  [[nodiscard]] const World& world() const { return world_; }
  /// The row of a job, which was last in that leg; none by pool, since a job may run in several.
  [[nodiscard]] std::optional<std::size_t> of_job(const Job& job, std::uint8_t leg, std::size_t gpu) const;
  /// The row that pays for the usage under a key; held lines belong to no jobs.
  [[nodiscard]] std::optional<std::size_t> of_usage(const UsageKey& key, Charge charge,
                                                    const LinePlace& place) const;
  /// The row of a cluster queue, by queues.
  [[nodiscard]] std::size_t of_queue(const std::string& queue) const { return rows_of_queues_.at(queue); }

 private:
  [[nodiscard]] std::optional<std::size_t> of_owner(ClassId job_class, UserId user) const;

  const World& world_;
  GroupBy by_;
  std::map<std::string, std::size_t> rows_of_queues_;
  std::optional<PartitionRows> partitions_;
  std::optional<AccountRows> accounts_;
};

/// Names of the rows of a grouping, the same for every run of a world: in the world's order, then "idle held"
/// (of jobs of somebody: what no job leased of the held capacity) or "several" (gpu: jobs that could get any
/// of several types). Queues are in order of their names; those without a cohort are "no cohort". Partitions
/// have "none or several" behind them, accounts "no account".
[[nodiscard]] std::vector<std::string> group_names(const World& world, GroupBy by);

}  // namespace stockout
