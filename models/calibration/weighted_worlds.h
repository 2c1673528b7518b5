#pragma once

#include <cstddef>
#include <vector>

#include "models/calibration/world_box.h"
#include "models/scenario/format/unknown.h"

namespace stockout {

/// Worlds that were simulated, and what came out.
struct DrawnWorlds {
  std::vector<WorldShares> shares;
  std::vector<std::vector<double>> figures;  // by world: scaled, as HistoryFigures has them

  [[nodiscard]] std::size_t size() const { return shares.size(); }
};

/// Worlds that agree with a history, each with a weight; together 1.
struct WeightedWorlds {
  std::vector<std::size_t> draws;   // which of the drawn worlds each was made of
  std::vector<WorldShares> shares;  // where the history puts it
  std::vector<double> weights;

  [[nodiscard]] std::size_t size() const { return draws.size(); }
  /// The share of an unknown that worlds of so much weight do not exceed.
  [[nodiscard]] double quantile(std::size_t unknown, double weight) const;
  /// The weight of the worlds that make each choice of an unknown that has some.
  [[nodiscard]] std::vector<double> choice_weights(const Unknown& unknown, std::size_t place) const;
  /// Correlation of two unknowns over the worlds; 0 if one of them does not vary.
  [[nodiscard]] double correlation(std::size_t one, std::size_t other) const;
};

/// Which of the drawn worlds agree with what was observed: approximate Bayesian computation. The worlds whose
/// figures are nearest to those of the history have a weight that falls with the distance (Epanechnikov's
/// kernel). Their figures are reduced to a prediction of each unknown (P. Fearnhead, D. Prangle, 2012) by a
/// ridge regression. Their shares are then moved along a local regression to where the history is predicted
/// (M. A. Beaumont, W. Zhang, D. J. Balding, 2002), within the box. Choices are not moved.
///
/// `drawn`: worlds of the prior within `box`, at least 20, each with luck of its own; `observed`: figures.
/// Figures that are not numbers are taken as the mean of the others, and none beyond what any world has.
[[nodiscard]] WeightedWorlds weigh_worlds(const std::vector<Unknown>& unknown, const WorldBox& box,
                                          const DrawnWorlds& drawn, const std::vector<double>& observed);

}  // namespace stockout
