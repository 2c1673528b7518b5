// Quantiles of waits that may never end, and intervals.

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/core/check.h"
#include "sim/stats/censored_sample.h"
#include "sim/stats/interval.h"
#include "sim/stats/weighted_quantile.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

CensoredSample sample(std::vector<SimDuration> ended, std::vector<SimDuration> censored = {}) {
  CensoredSample result;
  for (const SimDuration length : ended) result.add(length);
  for (const SimDuration seen : censored) result.add_censored(seen);
  return result;
}

}  // namespace

TEST_CASE("A quantile is a length that occurred: the inverse of the empirical distribution", "[stats]") {
  const CensoredSample waits = sample({4h, 1h, 3h, 2h});
  CHECK(waits.quantile(0.0) == KnownDuration{1h});
  CHECK(waits.quantile(0.25) == KnownDuration{1h});
  CHECK(waits.quantile(0.26) == KnownDuration{2h});
  CHECK(waits.quantile(0.5) == KnownDuration{2h});
  CHECK(waits.quantile(0.95) == KnownDuration{4h});
  CHECK(waits.quantile(1.0) == KnownDuration{4h});
}

TEST_CASE("A rank that is a whole number is not lost to rounding", "[stats]") {
  CensoredSample waits;
  for (int i = 1; i <= 100; ++i) waits.add(SimDuration{i});
  CHECK(waits.quantile(0.07) == KnownDuration{SimDuration{7}});  // 0.07 * 100 = 7.000000000000001
  CHECK(waits.quantile(0.95) == KnownDuration{SimDuration{95}});
}

TEST_CASE("A quantile on a job that never started is a bound from below", "[stats]") {
  const CensoredSample waits = sample({1h, 2h, 3h}, {24h});
  CHECK(waits.quantile(0.75) == KnownDuration{3h});
  CHECK(waits.quantile(0.76) == KnownDuration{24h, true});
}

TEST_CASE("A job that gave up at once still counts as later than all that started", "[stats]") {
  const CensoredSample waits = sample({1h, 5h}, {0h, 0h});
  CHECK(waits.quantile(0.5) == KnownDuration{5h});
  CHECK(waits.quantile(0.95) == KnownDuration{5h, true});  // never below the longest that started
}

TEST_CASE("Bounds grow with the rank among those that never started", "[stats]") {
  const CensoredSample waits = sample({1h}, {9h, 3h, 6h});
  CHECK(waits.quantile(0.5) == KnownDuration{3h, true});
  CHECK(waits.quantile(0.75) == KnownDuration{6h, true});
  CHECK(waits.quantile(1.0) == KnownDuration{9h, true});
}

TEST_CASE("A sample in which nothing ended has only bounds", "[stats]") {
  CHECK(sample({}, {2h, 1h}).quantile(0.5) == KnownDuration{1h, true});
  CHECK(sample({}, {2h, 1h}).mean_ms() == 5'400'000.0);
}

TEST_CASE("A sample takes more after it has answered", "[stats]") {
  CensoredSample waits = sample({4h});
  CHECK(waits.quantile(0.5) == KnownDuration{4h});
  waits.add(1h);
  CHECK(waits.quantile(0.5) == KnownDuration{1h});
}

TEST_CASE("A mean of very many very long waits does not overflow", "[stats]") {
  CensoredSample waits;
  for (int i = 0; i < 20; ++i) waits.add(SimDuration{std::int64_t{1} << 60});
  CHECK(waits.mean_ms() == static_cast<double>(std::int64_t{1} << 60));
}

TEST_CASE("An empty sample is asked for nothing", "[stats]") {
  CHECK_THROWS_AS(CensoredSample{}.quantile(0.5), InvariantError);
  CHECK_THROWS_AS(CensoredSample{}.mean_ms(), InvariantError);
}

TEST_CASE("An interval is Student's", "[stats]") {
  // Mean 3, standard deviation sqrt(2.5), t(4; 0.975) = 2.776445: half-width 2.776445 * sqrt(0.5).
  const Estimate five = estimate(std::vector<double>{1, 2, 3, 4, 5});
  CHECK(five.mean == Approx(3.0));
  REQUIRE(five.half_width.has_value());
  CHECK(*five.half_width == Approx(1.963243).epsilon(1e-6));
  CHECK(five.low() == Approx(3.0 - 1.963243).epsilon(1e-6));
}

TEST_CASE("One observation has no interval", "[stats]") {
  const Estimate one = estimate(std::vector<double>{7});
  CHECK(one.mean == 7.0);
  CHECK_FALSE(one.half_width.has_value());
}

TEST_CASE("Equal observations have an interval of exactly zero", "[stats]") {
  const Estimate equal = estimate(std::vector<double>(10, 0.1));
  CHECK(equal.mean == 0.1);
  CHECK(equal.half_width == 0.0);
}

TEST_CASE("Observations that differ by rounding alone have an interval of exactly zero", "[stats]") {
  const double tenth = 0.1;
  const std::vector<double> rounded{0.3, tenth + 0.2, 0.3, 3 * tenth};  // 0.1 + 0.2 is not 0.3
  REQUIRE(rounded[0] != rounded[1]);
  CHECK(estimate(rounded).half_width == 0.0);
  CHECK(estimate(rounded).mean == Approx(0.3));
  const Estimate difference = estimate_difference(rounded, std::vector<double>(4, 0.3));
  CHECK(difference.mean == 0);
  CHECK(difference.half_width == 0.0);
  // A spread a thousand times as large is one.
  CHECK(*estimate(std::vector<double>{0.3, 0.3 + 3e-13}).half_width > 1e-13);
}

TEST_CASE("A running estimate is that of the list", "[stats]") {
  RunningEstimate running;
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) {
    values.push_back(1e9 + i % 7);
    running.add(values.back());
  }
  CHECK(running.result().mean == estimate(values).mean);
  CHECK(running.result().half_width == estimate(values).half_width);
  // 0 to 6 over and over: sum 295, sum of squares 1275, 1275 - 295^2 / 100 = 404.75; t(99; 0.975) = 1.984217.
  CHECK(running.result().mean - 1e9 == Approx(2.95));
  CHECK(*running.result().half_width == Approx(1.984217 * std::sqrt(404.75 / 99 / 100)).epsilon(1e-6));
  CHECK_THROWS_AS(RunningEstimate{}.result(), InvariantError);
}

TEST_CASE("A paired difference sees what the two means hide", "[stats]") {
  const std::vector<double> dear{101, 212, 303, 409};
  const std::vector<double> cheap{100, 210, 301, 408};
  CHECK(*estimate(dear).half_width > 100);
  const Estimate difference = estimate_difference(dear, cheap);
  CHECK(difference.mean == Approx(1.5));
  CHECK(*difference.half_width < 1);
  CHECK_THROWS_AS(estimate_difference(dear, std::vector<double>{1}), InvariantError);
}

TEST_CASE("A quantile of weighted values is the least that holds so much of the weight", "[stats]") {
  const WeightedValues<int> values{{5, 1}, {1, 2}, {9, 1}};
  CHECK(weighted_quantile(values, 0) == 1);
  CHECK(weighted_quantile(values, 0.5) == 1);
  CHECK(weighted_quantile(values, 0.51) == 5);
  CHECK(weighted_quantile(values, 0.75) == 5);
  CHECK(weighted_quantile(values, 1) == 9);
  CHECK(weighted_quantile(WeightedValues<int>{{7, 1e-9}}, 0.975) == 7);
}
