#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/special_functions/gamma.hpp>

#include "sim/random/law.h"

namespace stockout {
namespace {

double ms_or_infinity(SimDuration length) {
  return length == kForever ? std::numeric_limits<double>::infinity() : static_cast<double>(length.count());
}

double normal_share_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

double below_uniform(double a, double b, double bound) {
  if (bound >= b) return (a + b) / 2;
  if (bound <= a) return bound;
  return ((bound * bound - a * a) / 2 + bound * (b - bound)) / (b - a);
}

// E min(X, m) = E X * P(Z <= z - sigma) + m * P(Z > z), z = ln(m / median) / sigma.
double below_lognormal(double median, double sigma, double bound) {
  const double mean = median * std::exp(sigma * sigma / 2);
  if (std::isinf(bound)) return mean;
  if (bound <= 0) return 0;
  const double z = std::log(bound / median) / sigma;
  return mean * normal_share_below(z - sigma) + bound * normal_share_below(-z);
}

// E min(X, m) = E X * P(1 / shape, (m / scale)^shape), P the regularized lower incomplete gamma function.
double below_weibull(double scale, double shape, double bound) {
  const double mean = scale * std::tgamma(1 + 1 / shape);
  return std::isinf(bound) ? mean : mean * boost::math::gamma_p(1 / shape, std::pow(bound / scale, shape));
}

// The integral of (least / x)^shape from the least to `to`.
double pareto_tail(double least, double shape, double to) {
  if (std::isinf(to)) return shape > 1 ? least / (shape - 1) : to;
  if (shape == 1) return least * std::log(to / least);
  return least * std::expm1((1 - shape) * std::log(to / least)) / (1 - shape);
}

double below_pareto(double least, double greatest, double shape, double bound) {
  if (bound <= least) return bound;
  if (greatest <= 0) return least + pareto_tail(least, shape, bound);
  const double to = std::min(bound, greatest);
  const double cut = std::pow(least / greatest, shape);
  return least + (pareto_tail(least, shape, to) - cut * (to - least)) / (1 - cut);
}

// Of lengths between two quantiles: from * (to / from)^U, or to * U from 0 on, with U uniform.
double below_piece(double from, double to, double bound) {
  if (bound <= from || to <= from) return std::min(bound, from);
  const double top = std::min(bound, to);
  if (from <= 0) return top * (1 - top / to / 2);
  const double log_ratio = std::log(to / from);
  const double share_above = 1 - std::log(top / from) / log_ratio;
  return (top - from) / log_ratio + share_above * top;
}

double below_empirical(const std::vector<Quantile>& points, double bound) {
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double share = points[i].share - points[i - 1].share;
    sum += share * below_piece(ms_or_infinity(points[i - 1].length), ms_or_infinity(points[i].length), bound);
  }
  return sum;
}

double below_mixture(const std::vector<WeightedLaw>& parts, SimDuration bound) {
  double total = 0;
  double sum = 0;
  for (const WeightedLaw& part : parts) {
    total += part.weight;
    sum += part.weight * part.law.mean_below_ms(std::min(bound, part.law.most));
  }
  return sum / total;
}

}  // namespace

double Law::mean_below_ms(SimDuration bound) const {
  const double first = ms_or_infinity(a);
  const double at = ms_or_infinity(bound);
  switch (kind) {
    case Kind::constant:
      return std::min(first, at);
    case Kind::uniform:
      return below_uniform(first, ms_or_infinity(b), at);
    case Kind::exponential:
      return first * -std::expm1(-at / first);
    case Kind::lognormal:
      return below_lognormal(first, sigma, at);
    case Kind::weibull:
      return below_weibull(first, sigma, at);
    case Kind::pareto:
      return below_pareto(first, ms_or_infinity(b), sigma, at);
    case Kind::mixture:
      return below_mixture(*parts, bound);
    case Kind::empirical:
      return below_empirical(*quantiles, at);
    case Kind::bathtub:
      return bathtub().mean_below_ms(at);
    case Kind::survival:
      return curve->mean_ms(std::min(bound, kLongestRun));
  }
  return first;
}

}  // namespace stockout
