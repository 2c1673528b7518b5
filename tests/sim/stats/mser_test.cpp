// MSER-5: where the start of a series stops to matter.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <boost/random/exponential_distribution.hpp>
#include <catch2/catch.hpp>

#include "sim/core/check.h"
#include "sim/random/draw.h"
#include "sim/stats/mser.h"

using namespace stockout;

namespace {

// Each value five times: batches with these means.
std::vector<double> batches(const std::vector<double>& means) {
  std::vector<double> series;
  for (const double mean : means) series.insert(series.end(), kMserBatch, mean);
  return series;
}

}  // namespace

// Batches 9 5 1 3 1 3 1 3 1 3. Sum of squares of the rest / (batches that stay)^2:
//   d = 0: mean 3, 36 + 4 + 8 x ... = 36 + 4 + 4 x 4 + 0 = 56, / 100 = 0.56
//   d = 1: mean 21/9, (5 - 7/3)^2 + 4 (4/3)^2 + 4 (2/3)^2 = 7.111 + 7.111 + 1.778 = 16, / 81 = 0.1975
//   d = 2: mean 2, 8 x 1 = 8, / 64 = 0.125
//   d = 3: mean 15/7, 4 x (6/7)^2 + 3 x (8/7)^2 = 2.939 + 3.918 = 6.857, / 49 = 0.1399
//   d = 4: mean 2, 6, / 36 = 0.1667;  d = 5: mean 11/5, 4.8, / 25 = 0.192
TEST_CASE("MSER-5 cuts where the squared standard error of the rest is least", "[stats]") {
  const Truncation cut = mser5(batches({9, 5, 1, 3, 1, 3, 1, 3, 1, 3}));
  CHECK(cut.observations == 2 * kMserBatch);
  CHECK(cut.found);
}

TEST_CASE("MSER-5 cuts nothing off a series that starts as it goes on", "[stats]") {
  CHECK(mser5(batches({1, 3, 1, 3, 1, 3, 1, 3})).observations == 0);
  CHECK(mser5(batches({4, 4, 4, 4, 4, 4})).observations == 0);
}

TEST_CASE("MSER-5 says that a series which never settles is too short", "[stats]") {
  std::vector<double> rising;
  for (int i = 0; i < 200; ++i) rising.push_back(i);
  CHECK_FALSE(mser5(rising).found);
}

TEST_CASE("MSER-5 leaves an incomplete last batch out, and needs two batches", "[stats]") {
  std::vector<double> series = batches({9, 5, 1, 3, 1, 3, 1, 3, 1, 3});
  series.insert(series.end(), 4, 1'000);
  CHECK(mser5(series).observations == 2 * kMserBatch);
  CHECK_THROWS_AS(mser5(std::vector<double>(9, 1.0)), InvariantError);
  CHECK_THROWS_AS(mser5(std::vector<double>(10, std::numeric_limits<double>::quiet_NaN())), InvariantError);
}

// Waits in M/M/1 from an empty queue (Lindley), the mean of 200 runs: at load 0.8 the mean wait comes within
// a tenth of its limit, 4, after some 35 arrivals and within a hundredth after some 130.
TEST_CASE("MSER-5 finds the transient of M/M/1 started empty", "[stats]") {
  constexpr std::size_t kRuns = 200;
  constexpr std::size_t kJobs = 2'000;
  std::vector<double> waits(kJobs, 0.0);
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    Draw draw{1, run, Purpose::work, 0, 0};
    double wait = 0;
    for (double& sum : waits) {
      sum += wait / kRuns;
      const double service = boost::random::exponential_distribution<double>{1}(draw);
      const double gap = boost::random::exponential_distribution<double>{0.8}(draw);
      wait = std::max(0.0, wait + service - gap);
    }
  }
  const Truncation cut = mser5(waits);
  CHECK(cut.found);
  CHECK(cut.observations >= 20);
  CHECK(cut.observations <= 500);
  const auto mean_from = [&](std::size_t first) {
    return std::reduce(waits.begin() + static_cast<std::ptrdiff_t>(first), waits.end()) /
           static_cast<double>(kJobs - first);
  };
  CHECK(std::abs(mean_from(cut.observations) - 4) < std::abs(mean_from(0) - 4));
  CHECK(mean_from(cut.observations) == Approx(4).epsilon(0.05));
}
