#include "models/theory/time_varying.h"

#include <algorithm>
#include <cmath>

#include "sim/core/check.h"

namespace stockout {

double mean_in_system(std::span<const RateStep> steps, double at,
                      const std::function<double(double)>& mean_below) {
  double mean = 0;
  for (const RateStep& step : steps) {
    STOCKOUT_CHECK(step.rate >= 0 && step.until >= step.from);
    if (step.from >= at) continue;
    mean += step.rate * (mean_below(at - step.from) - mean_below(at - std::min(step.until, at)));
  }
  return mean;
}

double mean_in_system(const SinusoidalLoad& load, double at) {
  STOCKOUT_CHECK(load.service_rate > 0 && load.frequency > 0 && load.mean_rate >= 0);
  STOCKOUT_CHECK(load.swing >= 0 && load.swing <= 1);
  const double ratio = load.frequency / load.service_rate;
  const double angle = load.frequency * at;
  const double wave = (std::sin(angle) - ratio * std::cos(angle)) / (1 + ratio * ratio);
  return load.mean_rate / load.service_rate * (1 + load.swing * wave);
}

}  // namespace stockout
