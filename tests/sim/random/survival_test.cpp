// Lifetimes: the bathtub law against its own formula, lengths that were seen against Kaplan and Meier's.

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/random/law.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

// About what was seen of preemptible CPU machines with a cap of 24 h.
const Law kBathtub{.kind = Law::Kind::bathtub, .a = 1h, .b = 48min, .sigma = 0.5, .late = 24h};

std::vector<double> draws(const Law& law, std::uint64_t count) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < count; ++i) {
    Draw draw{11, 0, Purpose::lifetime, i, 0};
    values.push_back(static_cast<double>(law.sample(draw).count()));
  }
  std::ranges::sort(values);
  return values;
}

SimDuration hours(double h) { return SimDuration{std::llround(h * 3'600'000)}; }

}  // namespace

TEST_CASE("A bathtub law begins at nothing, is flat in the middle and ends", "[survival]") {
  const auto share = [](double h) { return kBathtub.bathtub().ended_by(h * 3'600'000); };
  CHECK(share(0) == Approx(0).margin(1e-12));
  CHECK(share(1) == Approx(0.5 * (1 - std::exp(-1.0))));  // the late ends are e^-28 there
  CHECK(share(12) - share(8) < 0.001);
  CHECK(share(24) == Approx(0.5 * (1 + 1)).margin(1e-9));  // early ends all gone, late ones at e^0
  CHECK(share(30) == 1);
}

TEST_CASE("A bathtub law draws what its formula says", "[survival]") {
  constexpr std::uint64_t kDraws = 20'000;
  const std::vector<double> values = draws(kBathtub, kDraws);
  double most = 0;  // Kolmogorov and Smirnov's distance
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double share = kBathtub.bathtub().ended_by(values[i]);
    most = std::max(
        {most, share - static_cast<double>(i) / kDraws, static_cast<double>(i + 1) / kDraws - share});
  }
  CHECK(most < 1.95 / std::sqrt(static_cast<double>(kDraws)));  // exceeded by chance once in a thousand
  // The mean, by the closed form and by adding up 1 - F.
  double sum = 0;
  for (int s = 0; s < 30 * 3'600; ++s) sum += 1'000 * (1 - kBathtub.bathtub().ended_by(s * 1'000.0 + 500));
  CHECK(kBathtub.mean_ms() == Approx(sum).epsilon(1e-6));
  double mean = 0;
  for (const double value : values) mean += value / kDraws;
  const double deviation = 12.0 * 3'600'000;  // no law on 0 to 24 h has more
  CHECK(std::abs(mean - kBathtub.mean_ms()) < 4 * deviation / std::sqrt(static_cast<double>(kDraws)));
}

TEST_CASE("A bathtub law is cut where the machine's life is capped", "[survival]") {
  Law capped = kBathtub;
  capped.sigma = 0.4;
  capped.most = 24h;
  constexpr double kDraws = 20'000;
  const std::vector<double> values = draws(capped, 20'000);
  const double at_cap = static_cast<double>(std::ranges::count(values, 24 * 3'600'000.0));
  const double expected = 1 - capped.bathtub().ended_by(24 * 3'600'000.0);
  CHECK(expected == Approx(0.2).margin(0.001));
  CHECK(std::abs(at_cap / kDraws - expected) < 4 * std::sqrt(expected * (1 - expected) / kDraws));
}

TEST_CASE("A bathtub whose late ends come at once has no age below 0", "[survival]") {
  const Law odd{.kind = Law::Kind::bathtub, .a = 1h, .b = 1h, .sigma = 1, .late = 1ms};
  for (const double value : draws(odd, 1'000)) CHECK(value >= 0);
  CHECK(odd.mean_ms() > 0);
}

TEST_CASE("Lengths not seen to their end weigh as Kaplan and Meier say", "[survival]") {
  // Weeks in remission of 21 patients on 6-MP (Freireich and others, 1963), a textbook example.
  std::vector<SeenLength> seen;
  for (const int h : {6, 6, 6, 7, 10, 13, 16, 22, 23}) seen.push_back({.length = hours(h), .ended = true});
  for (const int h : {6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35})
    seen.push_back({.length = hours(h), .ended = false});
  const SurvivalCurve curve{seen};
  CHECK(curve.survivors() == Approx(0.4482).margin(0.0001));
  // Survival is 0.857 after 6, 0.807 after 7, 0.753 after 10, 0.690 after 13, 0.627 after 16, 0.538 after 22.
  CHECK(curve.age(0) == 6h);
  CHECK(curve.age(1 - 0.858) == 6h);
  CHECK(curve.age(1 - 0.856) == 7h);
  CHECK(curve.age(1 - 0.754) == 10h);
  CHECK(curve.age(1 - 0.752) == 13h);
  CHECK(curve.age(1 - 0.628) == 16h);
  CHECK(curve.age(1 - 0.626) == 22h);
  CHECK(curve.age(1 - 0.449) == 23h);
  CHECK(curve.age(1 - 0.448) == kForever);
  CHECK(curve.age(1) == kForever);
  const double at_most_10 = (6 * (1 - 0.8571) + 7 * (0.8571 - 0.8067) + 10 * 0.8067) * 3'600'000;
  CHECK(curve.mean_ms(10h) == Approx(at_most_10).epsilon(1e-4));
}

TEST_CASE("Lengths that were all seen are drawn as often as they were seen", "[survival]") {
  const auto curve = std::make_shared<const SurvivalCurve>(
      std::vector<SeenLength>{{.length = 1h}, {.length = 1h}, {.length = 2h}, {.length = 5h}});
  CHECK(curve->survivors() == Approx(0).margin(1e-12));
  const Law law{.kind = Law::Kind::survival, .curve = curve};
  CHECK(law.mean_ms() == Approx(9.0 / 4 * 3'600'000));
  constexpr double kDraws = 10'000;
  const std::vector<double> values = draws(law, 10'000);
  const double ones = static_cast<double>(std::ranges::count(values, 3'600'000.0));
  CHECK(std::abs(ones / kDraws - 0.5) < 4 * 0.5 / std::sqrt(kDraws));
  CHECK(values.back() == 5 * 3'600'000.0);
}

TEST_CASE("Who was never seen to end lives longer than any run, or to the law's bound", "[survival]") {
  const auto curve = std::make_shared<const SurvivalCurve>(
      std::vector<SeenLength>{{.length = 1h}, {.length = 2h, .ended = false}});
  Law law{.kind = Law::Kind::survival, .curve = curve};
  CHECK(draws(law, 100).back() == static_cast<double>(kLongestRun.count()));
  law.most = 24h;
  CHECK(draws(law, 100).back() == 24 * 3'600'000.0);
}

TEST_CASE("An exponential law is found again behind a bound of sight", "[survival]") {
  constexpr std::uint64_t kCount = 10'000;
  const Law life{.kind = Law::Kind::exponential, .a = 4h};
  const Law sight{.kind = Law::Kind::exponential, .a = 6h};
  std::vector<SeenLength> seen;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    Draw first{5, 0, Purpose::lifetime, i, 0};
    Draw second{5, 0, Purpose::lifetime, i, 1};
    const SimDuration lives = life.sample(first);
    const SimDuration watched = sight.sample(second);
    seen.push_back({.length = std::min(lives, watched), .ended = lives <= watched});
  }
  const SurvivalCurve curve{seen};
  // Greenwood's variance of S(t) = e^-t/4: S^2 times the integral of e^(t (1/4 + 1/6)) / 4 over 0 to t, by n.
  const double t = 4 * std::log(2.0);
  const double integral = 0.25 * (std::exp(t * 5 / 12) - 1) / (5.0 / 12);
  const double error = 0.5 * std::sqrt(integral / kCount);
  const auto at = [&](double u) { return static_cast<double>(curve.age(u).count()) / 3'600'000; };
  CHECK(at(0.5 - 4 * error) < t);
  CHECK(at(0.5 + 4 * error) > t);
}
