#include "models/workload/arrivals/expected_demand.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>

#include "sim/core/hours.h"

namespace stockout {
namespace {

constexpr std::int64_t kIntensityHours = 168;
constexpr SimDuration kPiece = std::chrono::hours{1};

double hours_between(SimTime from, SimTime to) {
  return static_cast<double>((to - from).count()) / kMsPerHour;
}

SimDuration shift_at(const PoissonArrivals& arrivals, SimTime at) {
  const auto next = std::ranges::upper_bound(arrivals.clock_shifts, at, {}, &ClockShift::at);
  return next == arrivals.clock_shifts.begin() ? SimDuration::zero() : std::prev(next)->by;
}

// The end of the longest piece from `at` on in which the profile is the same and the factor smooth.
SimTime end_of_piece(const SyntheticDemand& demand, SimTime at, SimTime to) {
  const auto& arrivals = std::get<PoissonArrivals>(demand.arrivals);
  const SimDuration into = (at + shift_at(arrivals, at)) - arrivals.origin;
  SimTime end = std::min(to, at + kPiece - (into - std::chrono::floor<std::chrono::hours>(into)));
  const auto cut = [&](SimTime where) {
    if (where > at) end = std::min(end, where);
  };
  const auto shift = std::ranges::upper_bound(arrivals.clock_shifts, at, {}, &ClockShift::at);
  if (shift != arrivals.clock_shifts.end()) cut(shift->at);
  const auto step = std::ranges::upper_bound(demand.factor.steps, at, {}, &FactorStep::at);
  if (step != demand.factor.steps.end()) cut(step->at);
  for (const Growth& growth : demand.factor.growths) cut(growth.from);
  return end;
}

// The mean of the factor over a piece, by Simpson's rule; a step that begins at its end does not count.
double mean_factor(const DemandFactor& factor, SimTime from, SimTime to) {
  if (factor.is_one()) return 1;
  const SimTime last = to - SimDuration{1};
  if (last <= from) return factor.at(from);
  return (factor.at(from) + 4 * factor.at(from + (last - from) / 2) + factor.at(last)) / 6;
}

}  // namespace

double intensity_at(const PoissonArrivals& arrivals, SimTime at) {
  if (arrivals.intensity.empty()) return 1;
  const auto into =
      std::chrono::floor<std::chrono::hours>(at + shift_at(arrivals, at) - arrivals.origin).count();
  return arrivals
      .intensity[static_cast<std::size_t>((into % kIntensityHours + kIntensityHours) % kIntensityHours)];
}

double mean_batch(const PoissonArrivals& arrivals) {
  if (arrivals.batches.empty()) return 1;
  double jobs = 0;
  double weights = 0;
  for (const WeightedCount& batch : arrivals.batches) {
    jobs += batch.weight * batch.count;
    weights += batch.weight;
  }
  return jobs / weights;
}

double expected_jobs(const SyntheticDemand& demand, SimTime from, SimTime to) {
  const auto& arrivals = std::get<PoissonArrivals>(demand.arrivals);
  if (from >= to) return 0;
  const double peak_per_hour = arrivals.peak_per_hour * mean_batch(arrivals);
  if (arrivals.intensity.empty() && demand.factor.is_one()) return peak_per_hour * hours_between(from, to);
  double at_peak = 0;  // hours
  for (SimTime at = from; at < to;) {
    const SimTime end = end_of_piece(demand, at, to);
    at_peak += intensity_at(arrivals, at) * mean_factor(demand.factor, at, end) * hours_between(at, end);
    at = end;
  }
  return peak_per_hour * at_peak;
}

double expected_gpu_hours(const SyntheticDemand& demand, const std::function<GpuCount(ShapeId)>& gpus_of) {
  const double work_ms = demand.work.mean_below_ms(std::min(demand.work.most, kLongestRun));
  double gpus = 0;
  double weights = 0;
  for (const WeightedShape& shape : demand.shapes) {
    gpus += shape.weight * static_cast<double>(gpus_of(shape.shape).count());
    weights += shape.weight;
  }
  return work_ms / kMsPerHour * gpus / weights;
}

}  // namespace stockout
