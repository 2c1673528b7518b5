#pragma once

#include <span>
#include <vector>

#include "models/supply/markov_fit.h"
#include "models/supply/tick_series.h"

namespace stockout {

/// Most values of a zone that regimes are fitted to: the last ones.
inline constexpr std::size_t kMostFitted = 20'000;

/// Regimes from which paths of a zone are drawn, as hidden chains, fitted to zones probed alike: all series
/// have one cap and one tick, and each has at least two values. The fit of series i is element i.
/// Deterministic.
///
/// First all zones together have one set of regimes (Baum and Welch, from several beginnings), so that a
/// state that one zone has only just entered is known from the others. Then each zone moves from there. How
/// often it shows each level, and is in each state in the long run, is its own (with_level_shares(),
/// with_long_run()). The common regimes say how these are tied together.
///
/// How many regimes there are is chosen out of sample: fitted to the first 70 % of each series, the rest must
/// be likeliest. A rest without a sample leaves the fewest.
[[nodiscard]] std::vector<FittedChain> fit_regimes(std::span<const TickSeries> zones);

/// Regimes from which the next day is forecast. In the long run they go where the common regimes go: a zone
/// that has changed is then forecast from those that were like that before. How often a level is shown is the
/// zone's own.
///
/// How many regimes there are, and how much the common ones weigh, is chosen out of sample: fitted to the
/// first 70 % of each series, the forecasts of the rest must have the least mean Brier score, over 1 machine
/// and the cap, 10 min, 1 h, 6 h and 24 h ahead.
[[nodiscard]] std::vector<FittedChain> fit_forecast_regimes(std::span<const TickSeries> zones);

}  // namespace stockout
