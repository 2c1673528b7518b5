// Laws with heavy tails against their theory: the distribution function itself, which exists where moments do
// not, and the closed forms of the mean below a bound.

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/random/law.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kDraws = 20'000;

std::vector<double> sorted_hours(const Law& law) {
  std::vector<double> hours;
  for (std::size_t i = 0; i < kDraws; ++i) {
    Draw draw{7, 0, Purpose::work, i, 0};
    hours.push_back(static_cast<double>(law.sample(draw).count()) / 3'600'000);
  }
  std::ranges::sort(hours);
  return hours;
}

// Kolmogorov's D: the largest difference between the sample's distribution function and `below`.
template <typename Below>
double distance(const std::vector<double>& sample, Below below) {
  double most = 0;
  const auto count = static_cast<double>(sample.size());
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double theory = below(sample[i]);
    most = std::max(
        {most, theory - static_cast<double>(i) / count, static_cast<double>(i + 1) / count - theory});
  }
  return most;
}

// D * sqrt(n) exceeds 2.15 in one sample out of 5,000 (2 exp(-2 * 2.15^2)).
const double kLargestDistance = 2.15 / std::sqrt(static_cast<double>(kDraws));

Law mixture(std::vector<WeightedLaw> parts) {
  Law law{.kind = Law::Kind::mixture};
  law.parts = std::make_shared<const std::vector<WeightedLaw>>(std::move(parts));
  return law;
}

Law empirical(std::vector<Quantile> points) {
  Law law{.kind = Law::Kind::empirical};
  law.quantiles = std::make_shared<const std::vector<Quantile>>(std::move(points));
  return law;
}

const Law kPareto{.kind = Law::Kind::pareto, .a = 1h, .sigma = 0.8};
const Law kBounded{.kind = Law::Kind::pareto, .a = 1h, .b = 100h, .sigma = 1.2};

double normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

// The integral of P(X > x), of which mean_below_ms() is the closed form, by the sample.
double sample_mean_below(const std::vector<double>& sample, double bound) {
  double sum = 0;
  for (const double value : sample) sum += std::min(value, bound);
  return sum / static_cast<double>(sample.size());
}

double sample_deviation_below(const std::vector<double>& sample, double bound) {
  const double mean = sample_mean_below(sample, bound);
  double sum = 0;
  for (const double value : sample) sum += (std::min(value, bound) - mean) * (std::min(value, bound) - mean);
  return std::sqrt(sum / static_cast<double>(sample.size()));
}

}  // namespace

TEST_CASE("A Pareto law has its tail, though it has no mean", "[random]") {
  const auto hours = sorted_hours(kPareto);
  CHECK(distance(hours, [](double x) { return 1 - std::pow(1 / x, 0.8); }) < kLargestDistance);
  CHECK(std::isinf(kPareto.mean_ms()));
  CHECK(Law{.kind = Law::Kind::pareto, .a = 2h, .sigma = 3}.mean_ms() == Approx(3 * 3'600'000.0));
}

TEST_CASE("A bounded Pareto law keeps its shape up to the bound and is never beyond it", "[random]") {
  const auto hours = sorted_hours(kBounded);
  const auto below = [](double x) { return (1 - std::pow(x, -1.2)) / (1 - std::pow(100, -1.2)); };
  CHECK(distance(hours, below) < kLargestDistance);
  CHECK(hours.back() <= 100);
  CHECK(hours.back() > 50);
}

TEST_CASE("A mixture has the distribution of its parts by weight, each cut by itself", "[random]") {
  const Law law =
      mixture({{.weight = 3, .law = {.kind = Law::Kind::lognormal, .a = 1h, .sigma = 0.5}},
               {.weight = 1, .law = {.kind = Law::Kind::lognormal, .a = 30h, .sigma = 1.0, .most = 60h}}});
  const auto hours = sorted_hours(law);
  CHECK(distance(hours, [](double x) {
          const double slow = x >= 60 ? 1 : normal_below(std::log(x / 30));
          return 0.75 * normal_below(std::log(x) / 0.5) + 0.25 * slow;
        }) < kLargestDistance + 0.25 * normal_below(-std::log(2.0)));  // the step at the cut
  CHECK(hours.back() <= 60);
  CHECK(law.mean_below_ms(60h) ==
        Approx(0.75 * Law{.kind = Law::Kind::lognormal, .a = 1h, .sigma = 0.5}.mean_below_ms(60h) +
               0.25 * Law{.kind = Law::Kind::lognormal, .a = 30h, .sigma = 1.0}.mean_below_ms(60h)));
}

TEST_CASE("An empirical law has the quantiles that were measured", "[random]") {
  const Law law = empirical({{0, 0h}, {0.25, 1h}, {0.5, 4h}, {0.99, 100h}, {1, 1'000h}});
  const auto hours = sorted_hours(law);
  const auto count = static_cast<double>(kDraws);
  for (const auto& [share, quantile] :
       {std::pair{0.25, 1.0}, {0.5, 4.0}, {0.99, 100.0}, {0.125, 0.5}, {0.375, 2.0}}) {
    CAPTURE(share);
    const auto below = static_cast<double>(std::ranges::upper_bound(hours, quantile) - hours.begin());
    CHECK(std::abs(below / count - share) < 4 * std::sqrt(share * (1 - share) / count));
  }
  CHECK(hours.back() <= 1'000);
}

TEST_CASE("The mean below a bound is that of the draws, for every law", "[random]") {
  const std::vector<Law> laws{
      {.kind = Law::Kind::constant, .a = 2h},
      {.kind = Law::Kind::uniform, .a = 1h, .b = 30h},
      {.kind = Law::Kind::exponential, .a = 9h},
      {.kind = Law::Kind::lognormal, .a = 9h, .sigma = 1.5},
      {.kind = Law::Kind::weibull, .a = 9h, .sigma = 0.6},
      kPareto,
      {.kind = Law::Kind::pareto, .a = 1h, .sigma = 1},
      kBounded,
      mixture(
          {{.weight = 1, .law = kBounded}, {.weight = 2, .law = {.kind = Law::Kind::exponential, .a = 2h}}}),
      empirical({{0, 0h}, {0.3, 1h}, {0.8, 1h}, {1, 80h}}),
  };
  for (const Law& law : laws) {
    const auto hours = sorted_hours(law);
    for (const auto bound : {1h, 12h, 90h}) {
      CAPTURE(static_cast<int>(law.kind), bound.count());
      const auto limit = static_cast<double>(bound.count());
      const double allowed =
          4 * sample_deviation_below(hours, limit) / std::sqrt(static_cast<double>(kDraws)) + 1e-6;
      CHECK(std::abs(law.mean_below_ms(bound) / 3'600'000 - sample_mean_below(hours, limit)) <= allowed);
    }
  }
}
