#include "sim/stats/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/distributions/students_t.hpp>

#include "sim/core/check.h"

namespace stockout {

namespace {

// A few operations on doubles round to within as many units in the last place.
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

void RunningEstimate::add(double value, double size) {
  ++count_;
  const double distance = value - mean_;
  mean_ += distance / count_;
  squares_ += distance * (value - mean_);
  largest_ = std::max(largest_, std::abs(size));
}

Estimate RunningEstimate::result(double confidence) const {
  STOCKOUT_CHECK(count_ > 0 && confidence > 0 && confidence < 1);
  if (count_ < 2) return {.mean = mean_, .half_width = std::nullopt, .count = 1};
  const double rounding = kRounding * largest_;
  const double deviation = std::sqrt(squares_ / (count_ - 1));
  if (deviation <= rounding) {
    return {.mean = std::abs(mean_) <= rounding ? 0 : mean_, .half_width = 0, .count = count_};
  }
  const double t = boost::math::quantile(boost::math::students_t(count_ - 1), 0.5 + confidence / 2);
  return {.mean = mean_, .half_width = t * deviation / std::sqrt(count_), .count = count_};
}

Estimate estimate(std::span<const double> values, double confidence) {
  RunningEstimate running;
  for (const double value : values) running.add(value);
  return running.result(confidence);
}

Estimate estimate_difference(std::span<const double> a, std::span<const double> b, double confidence) {
  STOCKOUT_CHECK(a.size() == b.size());
  RunningEstimate running;
  for (std::size_t i = 0; i < a.size(); ++i) {
    running.add(a[i] - b[i], std::max(std::abs(a[i]), std::abs(b[i])));
  }
  return running.result(confidence);
}

}  // namespace stockout
