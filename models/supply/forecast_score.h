#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/supply/forecast_targets.h"
#include "models/supply/markov_fit.h"
#include "models/supply/tick_series.h"
#include "sim/stats/interval.h"

namespace stockout {

/// Who forecasts. Persistence, climatology and given now are naive.
enum class Forecaster : std::uint8_t {
  blend,        // the mean of regimes and regression, for events alone
  regimes,      // fit_forecast_regimes()
  drawn,        // fit_regimes(): those from which paths are drawn
  chain,        // a chain of levels
  persistence,  // as it is now: for ever; a spell as long as the one before
  climatology,  // as often, or as long, as in the days fitted on
  given_now,    // the same, among those days' moments with as many (enough, or not enough) machines
  regression,   // PooledRegression, for events alone
};
inline constexpr std::array<std::string_view, 8> kForecasterNames{
    "blend", "regimes", "drawn", "chain", "persistence", "climatology", "given now", "regression"};

/// A zone whose first values were fitted on.
struct ScoredZone {
  TickSeries series;
  std::size_t fitted = 0;  // values; less than all
  FittedChain chain;
  std::optional<FittedChain> regimes = {};
  std::optional<FittedChain> drawn = {};
};

/// One thing forecast, over all moments of the days that were not fitted on.
struct Score {
  std::string what;  // "16 or more in 1h"
  std::string rule;  // "Brier", or "CRPS [h]", "CRPS [machines]"
  std::uint64_t moments = 0;
  Forecaster model = Forecaster::chain;  // the blend for events, else the regimes; without regimes the chain
  std::array<std::optional<double>, kForecasterNames.size()> mean;  // by Forecaster; the less the better

  /// Mean over the moments of (that forecaster - the model) and its 95 % interval by mean_difference(), by
  /// Forecaster; none for too few days. Blocks are of 6 h to a day, and longer where the lead is.
  std::array<std::optional<Estimate>, kForecasterNames.size()> better_than;

  [[nodiscard]] Forecaster best_naive() const;
};

/// Scores fits made on the first part of series on the rest, all zones together. At every value of the rest
/// the forecaster knows what came before, the present value and the hour:
///  - whether `wanted` machines (1, and the cap) are there after each of `horizons.events`: Brier score;
///  - how many are there after each of `horizons.counts`: CRPS;
///  - how long until `wanted` are there, up to kLongestWait: CRPS; moments from which that is not known are
///    left out;
///  - at the start of a spell, how long `wanted` stay, up to kLongestWait: CRPS, likewise.
/// CRPS is the sum over all thresholds of the squared difference between the forecast and the true
/// distribution function, times the distance of two thresholds; for a forecast that is one number, the
/// absolute error. (T. Gneiting, A. Raftery: Strictly proper scoring rules, prediction, and estimation,
/// 2007.) All zones, at least one, have one cap and one tick.
[[nodiscard]] std::vector<Score> score_forecasts(std::span<const ScoredZone> zones,
                                                 const ForecastHorizons& horizons = {});

}  // namespace stockout
