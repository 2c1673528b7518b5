#include "sim/random/law.h"

#include <algorithm>
#include <cmath>
#include <tuple>

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

}  // namespace

SimDuration Law::sample(Draw& draw) const {
  if (kind == Kind::constant) return constant();
  const double bound = to_ms(std::min(most, kLongestRun));
  return SimDuration{std::llround(std::clamp(sample_ms(*this, draw), 0.0, bound))};
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
