#include "models/experiment/summary.h"

#include <algorithm>

namespace stockout {

void RunningSummaries::add(const Values& values, const Surplus* surplus) {
  ++replications_;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const Value& value = values[static_cast<Measure>(i)];
    if (value.is_absent()) continue;
    running_[i].mean.add(value.value);
    running_[i].known = std::max(running_[i].known, value.known);  // absent < exact < at least
  }
  if (surplus != nullptr) add_controls(values, *surplus);
}

// After the values themselves.
void RunningSummaries::add_controls(const Values& values, const Surplus& surplus) {
  cross_.resize(kMeasures);
  const ControlMoments::Vector distance = controls_.add(surplus);
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const Value& value = values[static_cast<Measure>(i)];
    if (!value.is_absent()) add_cross(cross_[i], distance, value.value - running_[i].mean.mean());
  }
}

// A measure that some replications lack has fewer values than there are controls, and is not adjusted: what
// is expected of a control where the measure is there is not known.
Estimate RunningSummaries::estimate_of(std::size_t measure) const {
  const Running& running = running_[measure];
  const bool is_share = measure_table()[measure].unit == "share";
  const bool is_exact = running.known == Value::Known::exact;
  if (cross_.empty() || is_share || !is_exact) return running.mean.result();
  return adjust(running.mean, controls_, cross_[measure]);
}

// A sum that a replication lacks is not 0 there but cannot be told: the mean of the others would be of other
// replications than the sums beside it. The same holds for ratios of such sums.
bool RunningSummaries::has_mean(Measure measure) const {
  const std::size_t count = running_[static_cast<std::size_t>(measure)].mean.count();
  const MeasureInfo& of = info(measure);
  if (of.kind == MeasureKind::sum) return count == replications_;
  return count > 0 && (!of.per || has_mean(*of.per));
}

Summaries RunningSummaries::result() const {
  Summaries summaries;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    if (!has_mean(static_cast<Measure>(i))) continue;
    const Running& running = running_[i];
    const Estimate mean = estimate_of(i);
    Summary& summary = summaries[static_cast<Measure>(i)];
    summary.mean = mean.mean;
    if (running.known == Value::Known::exact) summary.half_width = mean.half_width;
    summary.known = running.known;
    summary.replications = mean.count;
  }
  return summaries;
}

}  // namespace stockout
