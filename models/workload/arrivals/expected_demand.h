#pragma once

#include <functional>

#include "models/workload/jobs.h"
#include "sim/core/quantity.h"

namespace stockout {

/// The rate of a Poisson process at an instant, as a share of its peak.
[[nodiscard]] double intensity_at(const PoissonArrivals& arrivals, SimTime at);

/// How many jobs a batch has on average, at least 1.
[[nodiscard]] double mean_batch(const PoissonArrivals& arrivals);

/// How many jobs a source of Poisson arrivals brings in [from, to) on average, its factor taken into account:
/// the integral of the rate, exact but for growth, whose curve within an hour is taken by Simpson's rule. 0
/// where `from` is not before `to`. The demand has Poisson arrivals.
[[nodiscard]] double expected_jobs(const SyntheticDemand& demand, SimTime from, SimTime to);

/// How much work a job of the source brings on average, in GPU-hours: the mean of its law, `most` taken into
/// account, times the mean of its GPUs. `gpus_of` says how many a shape has.
[[nodiscard]] double expected_gpu_hours(const SyntheticDemand& demand,
                                        const std::function<GpuCount(ShapeId)>& gpus_of);

}  // namespace stockout
