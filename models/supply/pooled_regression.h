#pragma once

#include <vector>

#include <Eigen/Core>

#include "models/supply/tick_series.h"

namespace stockout {

/// A forecast by least squares, the same for all zones: the share of events, from whether it is so now, and
/// how often it was in the last 30 min and the last 3 h. Ridge of 1, so that it is there for few moments too.
/// It knows no regimes: what beats it has learnt something from them.
class PooledRegression {
 public:
  /// Learns from values [0, fitted) of a series. `outcomes`: 0 or 1 for each of them, -1 where not known.
  void learn(const TickSeries& series, std::int32_t wanted, const std::vector<std::int32_t>& outcomes);
  /// Solves for the weights; after the last learn(), before forecast().
  void solve();
  /// Probability that `wanted` machines are there, for each value of the series; from 0 to 1.
  [[nodiscard]] std::vector<double> forecast(const TickSeries& series, std::int32_t wanted) const;

 private:
  using Features = Eigen::Vector4d;
  [[nodiscard]] static std::vector<Features> features(const TickSeries& series, std::int32_t wanted);

  Eigen::Matrix4d products_ = Eigen::Matrix4d::Identity();
  Features sums_ = Features::Zero();
  Features weights_ = Features::Zero();
};

}  // namespace stockout
