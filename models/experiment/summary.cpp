#include "models/experiment/summary.h"

#include <algorithm>

namespace stockout {

void RunningSummaries::add(const Values& values) {
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const Value& value = values[static_cast<Measure>(i)];
    if (value.is_absent()) continue;
    running_[i].mean.add(value.value);
    running_[i].known = std::max(running_[i].known, value.known);  // absent < exact < at least
  }
}

Summaries RunningSummaries::result() const {
  Summaries summaries;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const Running& running = running_[i];
    if (running.known == Value::Known::absent) continue;
    const Estimate mean = running.mean.result();
    Summary& summary = summaries[static_cast<Measure>(i)];
    summary.mean = mean.mean;
    if (running.known == Value::Known::exact) summary.half_width = mean.half_width;
    summary.known = running.known;
    summary.replications = mean.count;
  }
  return summaries;
}

}  // namespace stockout
