#include "sim/random/law.h"

#include <algorithm>
#include <cmath>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/weibull_distribution.hpp>

namespace stockout {
namespace {

double sample_ms(const Law& law, Draw& draw) {
  const auto a = static_cast<double>(law.a.count());
  switch (law.kind) {
    case Law::Kind::constant:
      return a;
    case Law::Kind::uniform:
      return a + uniform01(draw) * static_cast<double>((law.b - law.a).count());
    case Law::Kind::exponential:
      return boost::random::exponential_distribution<double>{1.0 / a}(draw);
    case Law::Kind::lognormal:
      return boost::random::lognormal_distribution<double>{std::log(a), law.sigma}(draw);
    case Law::Kind::weibull:
      return boost::random::weibull_distribution<double>{law.sigma, a}(draw);
  }
  return a;
}

}  // namespace

SimDuration Law::sample(Draw& draw) const {
  if (kind == Kind::constant) return constant();
  const double bound = static_cast<double>(std::min(most, kLongestRun).count());
  return SimDuration{std::llround(std::clamp(sample_ms(*this, draw), 0.0, bound))};
}

double Law::mean_ms() const {
  const auto first = static_cast<double>(a.count());
  switch (kind) {
    case Kind::constant:
    case Kind::exponential:
      return first;
    case Kind::uniform:
      return (first + static_cast<double>(b.count())) / 2;
    case Kind::lognormal:
      return first * std::exp(sigma * sigma / 2);
    case Kind::weibull:
      return first * std::tgamma(1 + 1 / sigma);
  }
  return first;
}

}  // namespace stockout
