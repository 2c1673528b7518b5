#include "sim/random/law.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <boost/math/special_functions/gamma.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/weibull_distribution.hpp>

namespace stockout {
namespace {

double to_ms(SimDuration length) { return static_cast<double>(length.count()); }

// By inversion; 1 - u is in (0, 1].
double sample_pareto_ms(const Law& law, double u) {
  const double cut = law.b > SimDuration::zero() ? std::pow(to_ms(law.a) / to_ms(law.b), law.sigma) : 0;
  return to_ms(law.a) * std::pow(1 - u * (1 - cut), -1 / law.sigma);
}

double sample_empirical_ms(const std::vector<Quantile>& points, double u) {
  const auto next = std::ranges::upper_bound(points, u, {}, &Quantile::share);
  if (next == points.end()) return to_ms(points.back().length);
  const Quantile& low = *std::prev(next);
  const double part = (u - low.share) / (next->share - low.share);
  const double from = to_ms(low.length);
  const double to = to_ms(next->length);
  return from > 0 ? from * std::pow(to / from, part) : to * part;
}

// Of the parts of a mixture; a part cuts what it draws itself.
double sample_part_ms(const std::vector<WeightedLaw>& parts, Draw& draw) {
  double total = 0;
  for (const WeightedLaw& part : parts) total += part.weight;
  double left = uniform01(draw) * total;
  for (const WeightedLaw& part : parts) {
    left -= part.weight;
    if (left < 0) return to_ms(part.law.sample(draw));
  }
  return to_ms(parts.back().law.sample(draw));
}

double sample_ms(const Law& law, Draw& draw) {
  const double a = to_ms(law.a);
  switch (law.kind) {
    case Law::Kind::constant:
      return a;
    case Law::Kind::uniform:
      return a + uniform01(draw) * to_ms(law.b - law.a);
    case Law::Kind::exponential:
      return boost::random::exponential_distribution<double>{1.0 / a}(draw);
    case Law::Kind::lognormal:
      return boost::random::lognormal_distribution<double>{std::log(a), law.sigma}(draw);
    case Law::Kind::weibull:
      return boost::random::weibull_distribution<double>{law.sigma, a}(draw);
    case Law::Kind::pareto:
      return sample_pareto_ms(law, uniform01(draw));
    case Law::Kind::mixture:
      return sample_part_ms(*law.parts, draw);
    case Law::Kind::empirical:
      return sample_empirical_ms(*law.quantiles, uniform01(draw));
    case Law::Kind::bathtub:
      return law.bathtub().age_ms(uniform01(draw));
    case Law::Kind::survival:
      return to_ms(law.curve->age(uniform01(draw)));
  }
  return a;
}

// By what they hold, if they hold anything.
template <typename Table>
bool are_alike(const std::shared_ptr<const Table>& a, const std::shared_ptr<const Table>& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

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

SimDuration Law::sample(Draw& draw) const {
  if (kind == Kind::constant) return constant();
  const double bound = to_ms(std::min(most, kLongestRun));
  return SimDuration{std::llround(std::clamp(sample_ms(*this, draw), 0.0, bound))};
}

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

Bathtub Law::bathtub() const {
  return {.share = sigma, .early_ms = to_ms(a), .late_ms = to_ms(b), .at_ms = to_ms(late)};
}

bool operator==(const Law& a, const Law& b) {
  const auto numbers = [](const Law& law) {
    return std::tie(law.kind, law.a, law.b, law.sigma, law.most, law.late);
  };
  return numbers(a) == numbers(b) && are_alike(a.parts, b.parts) && are_alike(a.quantiles, b.quantiles) &&
         are_alike(a.curve, b.curve);
}

}  // namespace stockout
