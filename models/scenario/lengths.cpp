#include "models/scenario/lengths.h"

#include <cmath>

#include <boost/math/special_functions/gamma.hpp>

namespace stockout {
namespace {

Law from_object(const Node& node) {
  Law law;
  if (node.has("lognormal")) {
    const Node shape = node.at("lognormal");
    law = {.kind = Law::Kind::lognormal, .a = shape.duration("median"), .sigma = shape.number("sigma")};
  } else if (node.has("exponential")) {
    law = {.kind = Law::Kind::exponential, .a = node.duration("exponential")};
  } else if (node.has("weibull")) {
    const Node shape = node.at("weibull");
    law = {.kind = Law::Kind::weibull, .a = shape.duration("scale"), .sigma = shape.number("shape")};
  } else {
    const auto ends = node.at("uniform").items();
    law = {.kind = Law::Kind::uniform, .a = ends[0].as_duration(), .b = ends[1].as_duration()};
    if (law.a > law.b) node.at("uniform").fail("the least must come first");
  }
  if (node.has("most")) law.most = node.duration("most");
  return law;
}

double normal_share_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

double cut_uniform(double a, double b, double most) {
  if (most >= b) return (a + b) / 2;
  if (most <= a) return most;
  return ((most * most - a * a) / 2 + most * (b - most)) / (b - a);
}

}  // namespace

Law to_law(const Node& node, bool positive) {
  const Law law = node.kind() == ValueKind::duration ? Law{.a = node.as_duration()} : from_object(node);
  if (positive && law.a == SimDuration::zero() && law.b == SimDuration::zero())
    node.fail("must be more than 0s");
  return law;
}

double cut_mean_ms(const Law& law) {
  const auto a = static_cast<double>(law.a.count());
  const auto most = static_cast<double>(std::min(law.most, kLongestRun).count());
  switch (law.kind) {
    case Law::Kind::constant:
      return std::min(a, most);
    case Law::Kind::uniform:
      return cut_uniform(a, static_cast<double>(law.b.count()), most);
    case Law::Kind::exponential:
      return a * -std::expm1(-most / a);
    case Law::Kind::weibull:
      // E min(X, m) = E X * P(1 / shape, (m / scale)^shape), P the regularized lower incomplete gamma
      // function.
      return law.mean_ms() * boost::math::gamma_p(1 / law.sigma, std::pow(most / a, law.sigma));
    case Law::Kind::lognormal:
      break;
  }
  // E min(X, m) = E X * P(Z <= z - sigma) + m * P(Z > z), z = ln(m / median) / sigma.
  const double z = std::log(most / a) / law.sigma;
  return law.mean_ms() * normal_share_below(z - law.sigma) + most * normal_share_below(-z);
}

}  // namespace stockout
