#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/supply/markov_fit.h"
#include "models/supply/tick_series.h"

namespace stockout {

/// From where a chain forecasts: a value of a series, and the shares of its states there.
struct ForecastMoment {
  const MarkovChain& chain;
  const FittedChain& fit;
  const TickSeries& series;
  std::size_t i = 0;
  std::span<const double> shares;
};

/// One thing to forecast: a whole number from 0 to size(). Forecasts are distribution functions F(0), ...,
/// F(size() - 1).
class ForecastTarget {
 public:
  virtual ~ForecastTarget() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string rule() const = 0;
  /// How many values it may take, less one.
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Worth of a step from one value to the next, in the unit of the rule.
  [[nodiscard]] virtual double unit() const = 0;
  /// Outcome after each value of the series; -1: not known, or nothing to forecast there.
  [[nodiscard]] virtual std::vector<std::int32_t> outcomes(const TickSeries& series) const = 0;
  /// Outcome if all stayed as it is; for spells, as the last one was (-1: there was none).
  [[nodiscard]] virtual std::vector<std::int32_t> as_now(const TickSeries& series,
                                                         std::int32_t last_spell) const = 0;
  /// Whether it is 0 or 1: whether something will be so at one moment.
  [[nodiscard]] virtual bool is_event() const = 0;
  /// How long after the forecast it is known at the latest.
  [[nodiscard]] virtual SimDuration lead() const = 0;
  /// A chain's forecast.
  [[nodiscard]] virtual std::vector<double> forecast(const ForecastMoment& from) const = 0;
  /// How many machines make the difference between the moments of the naive forecast "given now".
  [[nodiscard]] virtual std::int32_t wanted() const = 0;
};

/// How long ahead of a moment it is forecast what is there. Each is rounded to ticks, at least one.
struct ForecastHorizons {
  std::vector<SimDuration> events{std::chrono::minutes{10}, std::chrono::hours{1}, std::chrono::hours{6},
                                  std::chrono::hours{24}};  // whether enough machines are there
  std::vector<SimDuration> counts{std::chrono::hours{1}, std::chrono::hours{6}};  // how many are there
};

/// All targets of score_forecasts(), in its order. Horizons of equally many ticks are one.
[[nodiscard]] std::vector<std::unique_ptr<ForecastTarget>> forecast_targets(
    SimDuration tick, std::int32_t cap, const ForecastHorizons& horizons = {});

}  // namespace stockout
