#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/measures/measure_table.h"
#include "models/record/run_record.h"
#include "models/workload/jobs.h"
#include "models/world/world.h"

namespace stockout {

/// The GPU type that jobs of each shape ask for, or on which their work was measured if they run on several,
/// by ShapeId: its place in World::gpu_types, one past the last for any type.
[[nodiscard]] std::vector<std::size_t> asked_gpus(const World& world);

/// GPUs of a job of the shape: none on machines without.
[[nodiscard]] inline GpuCount gpus_at_work(const Shape& shape) {
  return shape.gpu == kNoGpu ? GpuCount{} : shape.gpus();
}

/// The best rate that jobs of each shape have in any place of any strategy, by ShapeId.
[[nodiscard]] std::vector<Rate> fastest_rates(const World& world);

/// How much of the work that a set of jobs brought was done, by the GPU type asked for: an hour of an L4 is
/// not an hour of an H100.
class WorkTally {
 public:
  /// Of `types` GPU types, any type being one of them.
  explicit WorkTally(std::size_t types) : asked_(types), done_(types) {}

  /// A job that asks for `gpus` GPUs of the type.
  void add(const Job& job, FinalState state, std::size_t type, GpuCount gpus);

  /// Sets the share of the type of which the least was done; absent if no job brought any work.
  void fill(Values& values) const;

  /// GPU-hours of work of completed jobs, if all the jobs' work was measured on one type.
  [[nodiscard]] std::optional<double> done_on_one_type() const;

 private:
  // In GPU-hours: a sum of milliseconds over all jobs of a long run may not fit 64 bits.
  std::vector<double> asked_;
  std::vector<double> done_;  // of completed jobs
};

/// The work of completed jobs in GPU-hours of the one type that it was measured on: work measured on
/// different types is never added. None without speeds, where there is nothing to compare.
[[nodiscard]] std::optional<double> reference_gpu_h(const World& world, const WorkTally& work);

}  // namespace stockout
