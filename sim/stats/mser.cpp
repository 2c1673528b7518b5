#include "sim/stats/mser.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/core/check.h"
#include "sim/stats/interval.h"

namespace stockout {
namespace {

std::vector<double> batch_means(std::span<const double> series) {
  std::vector<double> means;
  for (std::size_t i = 0; i + kMserBatch <= series.size(); i += kMserBatch) {
    const std::span<const double> batch = series.subspan(i, kMserBatch);
    means.push_back(std::reduce(batch.begin(), batch.end()) / kMserBatch);
  }
  return means;
}

}  // namespace

// From the back, so that each step adds one batch to those that stay. The last batch alone has no spread, and
// would always win: at least five stay.
Truncation mser5(std::span<const double> series) {
  STOCKOUT_CHECK(series.size() >= 2 * kMserBatch);
  const std::vector<double> batches = batch_means(series);
  RunningEstimate rest;
  std::size_t best = 0;
  double least = 0;
  for (std::size_t d = batches.size(); d-- > 0;) {
    STOCKOUT_CHECK(std::isfinite(batches[d]));
    rest.add(batches[d]);
    if (rest.count() < std::min(kMserBatch, batches.size())) continue;
    const auto stay = static_cast<double>(rest.count());
    const double error = rest.squares() / (stay * stay);
    const bool first = rest.count() == std::min(kMserBatch, batches.size());
    if (first || error <= least) {
      least = error;
      best = d;
    }
  }
  return {.observations = best * kMserBatch, .found = 2 * best <= batches.size()};
}

}  // namespace stockout
