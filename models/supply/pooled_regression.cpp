#include "models/supply/pooled_regression.h"

#include <algorithm>
#include <chrono>

#include <Eigen/Cholesky>

namespace stockout {
namespace {

// Share of the values at `wanted` or more in the time up to each value.
std::vector<double> recent_shares(const TickSeries& series, std::int32_t wanted, SimDuration length) {
  std::vector<double> shares;
  std::size_t first = 0;
  double there = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    there += series.values[i] >= wanted ? 1 : 0;
    for (; series.at_ms[i] - series.at_ms[first] >= length.count(); ++first)
      there -= series.values[first] >= wanted ? 1 : 0;
    shares.push_back(there / static_cast<double>(i - first + 1));
  }
  return shares;
}

}  // namespace

std::vector<PooledRegression::Features> PooledRegression::features(const TickSeries& series,
                                                                   std::int32_t wanted) {
  using namespace std::chrono_literals;
  const std::vector<double> half_hour = recent_shares(series, wanted, 30min);
  const std::vector<double> three_hours = recent_shares(series, wanted, 3h);
  std::vector<Features> all;
  for (std::size_t i = 0; i < series.size(); ++i)
    all.emplace_back(1, series.values[i] >= wanted ? 1 : 0, half_hour[i], three_hours[i]);
  return all;
}

void PooledRegression::learn(const TickSeries& series, std::int32_t wanted,
                             const std::vector<std::int32_t>& outcomes) {
  const std::vector<Features> all = features(series, wanted);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i] < 0) continue;
    products_ += all[i] * all[i].transpose();
    sums_ += all[i] * outcomes[i];
  }
}

void PooledRegression::solve() { weights_ = products_.ldlt().solve(sums_); }

std::vector<double> PooledRegression::forecast(const TickSeries& series, std::int32_t wanted) const {
  std::vector<double> shares;
  for (const Features& one : features(series, wanted))
    shares.push_back(std::clamp(weights_.dot(one), 0.0, 1.0));
  return shares;
}

}  // namespace stockout
