#include "models/workload/fit/length_fit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

namespace stockout {
namespace {

constexpr std::size_t kMostForShape = 200'000;
constexpr double kFivePercentPoint = 1.36;  // of D * sqrt(n) for a given law (Smirnov 1948)

double seconds(SimDuration length) { return static_cast<double>(length.count()) / 1000; }

SimDuration from_seconds(double length) {
  const double ms = std::clamp(length * 1000, 1.0, static_cast<double>(kLongestRun.count()));
  return SimDuration{std::llround(ms)};
}

struct Moments {
  double count = 0;
  double mean = 0;
  double log_mean = 0;
  double log_deviation = 0;
};

Moments moments_of(std::span<const SimDuration> sample) {
  Moments moments{.count = static_cast<double>(sample.size())};
  for (const SimDuration length : sample) {
    moments.mean += seconds(length) / moments.count;
    moments.log_mean += std::log(seconds(length)) / moments.count;
  }
  double squares = 0;
  for (const SimDuration length : sample) {
    const double off = std::log(seconds(length)) - moments.log_mean;
    squares += off * off;
  }
  moments.log_deviation = std::sqrt(squares / moments.count);
  return moments;
}

LawFit exponential_fit(const Moments& m) {
  return {.law = {.kind = Law::Kind::exponential, .a = from_seconds(m.mean)},
          .log_likelihood = -m.count * (std::log(m.mean) + 1),
          .aic = 2};
}

LawFit lognormal_fit(const Moments& m) {
  const double likelihood =
      -m.count * (m.log_mean + std::log(m.log_deviation) + 0.5 * std::log(2 * std::numbers::pi) + 0.5);
  return {.law = {.kind = Law::Kind::lognormal,
                  .a = from_seconds(std::exp(m.log_mean)),
                  .sigma = m.log_deviation},
          .log_likelihood = likelihood,
          .aic = 4};
}

LawFit pareto_fit(const Moments& m, SimDuration least) {
  const double log_least = std::log(seconds(least));
  const double shape = 1 / (m.log_mean - log_least);
  return {.law = {.kind = Law::Kind::pareto, .a = least, .sigma = shape},
          .log_likelihood = m.count * (std::log(shape) + shape * log_least - (shape + 1) * m.log_mean),
          .aic = 4};
}

// Every so many-th of a sorted sample.
std::vector<double> thinned(std::span<const SimDuration> sorted) {
  const std::size_t step = (sorted.size() - 1) / kMostForShape + 1;
  std::vector<double> logs;
  for (std::size_t i = step / 2; i < sorted.size(); i += step) logs.push_back(std::log(seconds(sorted[i])));
  return logs;
}

// The shape k that solves sum x^k ln x / sum x^k - 1 / k = mean of ln x; the left side rises with k. Powers
// are of x / max, which cannot overflow.
double weibull_shape(const std::vector<double>& logs) {
  constexpr int kBisections = 50;
  const double most = std::ranges::max(logs);
  double log_mean = 0;
  for (const double log : logs) log_mean += log / static_cast<double>(logs.size());
  double low = 0.01;
  double high = 100;
  for (int i = 0; i < kBisections; ++i) {
    const double k = std::sqrt(low * high);
    double sum = 0;
    double weighted = 0;
    for (const double log : logs) {
      const double power = std::exp(k * (log - most));
      sum += power;
      weighted += power * log;
    }
    (weighted / sum - 1 / k < log_mean ? low : high) = k;
  }
  return std::sqrt(low * high);
}

LawFit weibull_fit(const Moments& m, std::span<const SimDuration> sorted) {
  const double shape = weibull_shape(thinned(sorted));
  const double log_most = std::log(seconds(sorted.back()));
  double powers = 0;  // of x / max
  for (const SimDuration length : sorted) powers += std::exp(shape * (std::log(seconds(length)) - log_most));
  const double log_scale = log_most + std::log(powers / m.count) / shape;
  const double likelihood = m.count * (std::log(shape) - shape * log_scale + (shape - 1) * m.log_mean - 1);
  return {.law = {.kind = Law::Kind::weibull, .a = from_seconds(std::exp(log_scale)), .sigma = shape},
          .log_likelihood = likelihood,
          .aic = 4};
}

double share_below(const Law& law, double x) {
  const double a = seconds(law.a);
  switch (law.kind) {
    case Law::Kind::exponential:
      return -std::expm1(-x / a);
    case Law::Kind::lognormal:
      return 0.5 * std::erfc(-std::log(x / a) / law.sigma / std::numbers::sqrt2);
    case Law::Kind::weibull:
      return -std::expm1(-std::pow(x / a, law.sigma));
    default:
      return x < a ? 0 : 1 - std::pow(a / x, law.sigma);
  }
}

// Equal lengths are one step of the sample's distribution function.
double distance_of(const Law& law, std::span<const SimDuration> sorted) {
  const auto count = static_cast<double>(sorted.size());
  double most = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    const double theory = share_below(law, seconds(sorted[i]));
    most =
        std::max({most, theory - static_cast<double>(i) / count, static_cast<double>(end) / count - theory});
    i = end;
  }
  return most;
}

// The bounds of the scenario's keys.
bool fits_a_scenario(const Law& law) {
  if (law.kind == Law::Kind::lognormal) return law.sigma > 0 && law.sigma <= 5;
  if (law.kind == Law::Kind::weibull) return law.sigma >= 0.2 && law.sigma <= 20;
  if (law.kind == Law::Kind::pareto) return law.sigma >= 0.05 && law.sigma <= 100;
  return true;
}

}  // namespace

std::vector<LawFit> fit_laws(std::span<const SimDuration> sorted) {
  if (sorted.front() == sorted.back()) return {};
  const Moments moments = moments_of(sorted);
  std::vector<LawFit> fits{exponential_fit(moments), lognormal_fit(moments), weibull_fit(moments, sorted),
                           pareto_fit(moments, sorted.front())};
  std::erase_if(fits, [](const LawFit& fit) { return !fits_a_scenario(fit.law); });
  for (LawFit& fit : fits) {
    fit.aic -= 2 * fit.log_likelihood;
    fit.distance = distance_of(fit.law, sorted);
  }
  std::ranges::sort(fits, {}, &LawFit::aic);
  return fits;
}

Law quantile_law(std::span<const SimDuration> sorted) {
  std::vector<Quantile> points;
  for (const double share :
       {0.0,  0.01, 0.02, 0.05, 0.1,  0.15, 0.2,  0.25, 0.3,  0.35, 0.4,  0.45,  0.5,   0.55, 0.6,
        0.65, 0.7,  0.75, 0.8,  0.85, 0.9,  0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999, 1.0}) {
    const double rank = share * static_cast<double>(sorted.size() - 1);
    points.push_back({.share = share, .length = sorted[static_cast<std::size_t>(std::llround(rank))]});
  }
  Law law{.kind = Law::Kind::empirical};
  law.quantiles = std::make_shared<const std::vector<Quantile>>(std::move(points));
  return law;
}

Law chosen_law(std::span<const SimDuration> sorted, std::span<const LawFit> fits) {
  if (sorted.front() == sorted.back()) return {.a = sorted.front()};
  const double by_chance = kFivePercentPoint / std::sqrt(static_cast<double>(sorted.size()));
  const double allowed = std::max(kCloseEnough, by_chance);
  const auto close = std::ranges::find_if(fits, [&](const LawFit& fit) { return fit.distance <= allowed; });
  return close == fits.end() ? quantile_law(sorted) : close->law;
}

}  // namespace stockout
