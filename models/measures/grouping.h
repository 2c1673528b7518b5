#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/measures/measures.h"
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
};

/// Whether the line is the price of one GPU: of held machines that jobs share.
[[nodiscard]] bool is_by_gpu(const World& world, std::size_t line);

/// By PriceLineId.
[[nodiscard]] std::vector<LinePlace> line_places(const World& world);

/// The row of a job under a grouping; none by pool, since a job may run in several.
[[nodiscard]] std::optional<std::size_t> row_of_job(GroupBy by, const Job& job, std::size_t gpu);

/// The row that pays for the usage under a key; held lines belong to no class or user.
[[nodiscard]] std::optional<std::size_t> row_of_usage(GroupBy by, const UsageKey& key, Charge charge,
                                                      const LinePlace& place);

}  // namespace stockout
