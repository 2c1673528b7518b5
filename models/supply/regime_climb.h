#pragma once

#include <cstddef>
#include <vector>

#include "models/supply/regimes.h"

namespace stockout {

/// Levels of a zone by tick; kNotSeen where there is no sample.
using LevelSeries = std::vector<int>;

/// Regimes that zones have in common.
struct CommonRegimes {
  Regimes regimes;
  std::vector<Eigen::VectorXd> starts;  // by zone: shares of the states at its first value
  double log_likelihood = 0;
};

/// Ticks, ends and values of evidence that the common regimes are worth to a zone. The default is that of a
/// chain's prior, which weighs as much as one transition.
struct RegimeWeights {
  double leaving = 1;
  double ends = 1;
  double values = 1;
};

/// Which shares are a zone's own, whatever the common regimes say.
enum class OwnShares : std::uint8_t {
  levels,  // how often each level is shown
  all,     // that, and how often each state is there in the long run
};

/// The regimes of a zone.
struct ZoneRegimes {
  Regimes regimes;
  Eigen::VectorXd now;     // shares of the states at the last value
  Eigen::VectorXd states;  // shares of the states over the values
  Eigen::VectorXd levels;  // shares of the levels over the values
};

/// So many regimes with so many levels, fitted to all zones: Baum and Welch, from several beginnings, of
/// which the likeliest is taken. At least one zone, at least two regimes and levels. Deterministic.
[[nodiscard]] CommonRegimes fit_common(const std::vector<LevelSeries>& zones, Eigen::Index regimes,
                                       Eigen::Index levels);

/// Moves one zone from the common regimes as far as its own values outweigh a prior centred on them. Its
/// shares are its own as `own` says, but for one tick of the common regimes'.
[[nodiscard]] ZoneRegimes fit_zone(const CommonRegimes& common, std::size_t zone, const LevelSeries& levels,
                                   const RegimeWeights& weights, OwnShares own);

}  // namespace stockout
