#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/supply/markov_fit.h"
#include "models/supply/tick_series.h"

namespace stockout {

/// Who forecasts. All but the first are naive.
enum class Forecaster : std::uint8_t {
  chain,
  persistence,  // as it is now: for ever; a spell as long as the one before
  climatology,  // as often, or as long, as in the days fitted on
  given_now,    // the same, among those days' moments with as many (enough, or not enough) machines
};
inline constexpr std::array<std::string_view, 4> kForecasterNames{"chain", "persistence", "climatology",
                                                                  "given now"};

/// One thing forecast, over all moments of the days that were not fitted on.
struct Score {
  std::string what;  // "16 or more in 1h"
  std::string rule;  // "Brier", or "CRPS [h]", "CRPS [machines]"
  std::uint64_t moments = 0;
  std::array<std::optional<double>, kForecasterNames.size()> mean;  // by Forecaster; the less the better

  /// Mean over the days of (naive - chain) and half its 95 % interval, against the naive forecaster of least
  /// mean; none with fewer than two days. Days are taken as independent.
  std::optional<double> better_by;
  std::optional<double> half_width;

  [[nodiscard]] Forecaster best_naive() const;
};

/// Scores a chain fitted on the first part of a series on the rest. At every value of the rest the forecaster
/// knows the present level and the hour:
///  - whether `wanted` machines (1, and the cap) are there about 10 min, 1 h, 6 h and 24 h later: Brier
///  score;
///  - how many are there about 1 h and 6 h later: CRPS;
///  - how long until `wanted` are there, up to kLongestWait: CRPS; moments from which that is not known are
///    left out;
///  - at the start of a spell, how long `wanted` stay, up to kLongestWait: CRPS, likewise.
/// CRPS is the sum over all thresholds of the squared difference between the forecast and the true
/// distribution function, times the distance of two thresholds; for a forecast that is one number, the
/// absolute error. (T. Gneiting, A. Raftery: Strictly proper scoring rules, prediction, and estimation,
/// 2007.)
[[nodiscard]] std::vector<Score> score_forecasts(const FittedChain& fit, const TickSeries& fitted_on,
                                                 const TickSeries& rest);

}  // namespace stockout
