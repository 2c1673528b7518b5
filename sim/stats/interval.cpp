#include "sim/stats/interval.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

#include "sim/core/check.h"

namespace stockout {

Estimate estimate(std::span<const double> values, double confidence) {
  STOCKOUT_CHECK(!values.empty() && confidence > 0 && confidence < 1);
  const auto n = static_cast<double>(values.size());
  // Differences from the first value: a constant series has exactly that mean and no spread, whatever its
  // size.
  const double origin = values.front();
  double sum = 0;
  for (const double value : values) sum += value - origin;
  const double offset = sum / n;
  if (values.size() < 2) return {.mean = origin, .half_width = std::nullopt, .count = 1};

  double squares = 0;
  for (const double value : values) squares += (value - origin - offset) * (value - origin - offset);
  const double standard_error = std::sqrt(squares / (n - 1) / n);
  const double t = boost::math::quantile(boost::math::students_t{n - 1}, 0.5 + confidence / 2);
  return {.mean = origin + offset, .half_width = t * standard_error, .count = values.size()};
}

Estimate estimate_difference(std::span<const double> a, std::span<const double> b, double confidence) {
  STOCKOUT_CHECK(a.size() == b.size());
  std::vector<double> differences(a.size());
  std::transform(a.begin(), a.end(), b.begin(), differences.begin(), std::minus<>{});
  return estimate(differences, confidence);
}

}  // namespace stockout
