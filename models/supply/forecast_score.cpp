#include "models/supply/forecast_score.h"

#include <algorithm>
#include <map>

#include "models/supply/forecast_targets.h"
#include "sim/stats/interval.h"

namespace stockout {
namespace {

constexpr std::int64_t kMsPerDay = 86'400'000;

using Forecast = std::vector<double>;  // a distribution function; empty: none

double distance(const Forecast& forecast, std::int32_t outcome) {
  double sum = 0;
  for (std::size_t m = 0; m < forecast.size(); ++m) {
    const double miss = forecast[m] - (outcome <= static_cast<std::int32_t>(m) ? 1.0 : 0.0);
    sum += miss * miss;
  }
  return sum;
}

Forecast certain(std::int32_t value, std::size_t size) {
  Forecast forecast(size, 0.0);
  std::fill(forecast.begin() + value, forecast.end(), 1.0);
  return forecast;
}

// How often each value came to pass among the moments that `is_asked`.
template <typename IsAsked>
Forecast as_often(const std::vector<std::int32_t>& outcomes, std::size_t size, IsAsked is_asked) {
  std::vector<double> counts(size + 1, 0.0);
  double all = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i] < 0 || !is_asked(i)) continue;
    ++counts[static_cast<std::size_t>(outcomes[i])];
    ++all;
  }
  if (all == 0) return {};
  Forecast forecast(size);
  double sum = 0;
  for (std::size_t m = 0; m < size; ++m) forecast[m] = (sum += counts[m]) / all;
  return forecast;
}

// All forecasters of one target, from the days fitted on.
class Panel {
 public:
  Panel(const ForecastTarget& target, const FittedChain& fit, const MarkovChain& chain,
        const TickSeries& fitted_on, const TickSeries& rest)
      : target_{target}, fit_{fit}, chain_{chain}, rest_{rest} {
    const std::vector<std::int32_t> known = target.outcomes(fitted_on);
    usual_ = as_often(known, target.size(), [](std::size_t) { return true; });
    for (const bool enough : {false, true}) {
      given_[enough ? 1 : 0] = as_often(known, target.size(), [&](std::size_t i) {
        return (fitted_on.values[i] >= target.wanted()) == enough;
      });
    }
    const auto last = std::ranges::find_if(known.rbegin(), known.rend(), [](auto v) { return v >= 0; });
    now_ = target.as_now(rest, last == known.rend() ? -1 : *last);
  }

  [[nodiscard]] Forecast forecast(Forecaster who, std::size_t i) {
    switch (who) {
      case Forecaster::chain:
        return chain_forecast(i);
      case Forecaster::persistence:
        return now_[i] < 0 ? Forecast{} : certain(now_[i], target_.size());
      case Forecaster::climatology:
        return usual_;
      case Forecaster::given_now: {
        const Forecast& given = given_[rest_.values[i] >= target_.wanted() ? 1 : 0];
        return given.empty() ? usual_ : given;
      }
    }
    return {};
  }

 private:
  // Without hours it depends on the level alone.
  const Forecast& chain_forecast(std::size_t i) {
    const bool is_kept = chain_.hours() == 1;
    Forecast& kept = kept_[is_kept ? fit_.level_of(rest_.values[i]) : 0];
    if (kept.empty() || !is_kept) kept = target_.forecast(chain_, fit_, rest_, i);
    return kept;
  }

  const ForecastTarget& target_;
  const FittedChain& fit_;
  const MarkovChain& chain_;
  const TickSeries& rest_;
  Forecast usual_;
  std::array<Forecast, 2> given_;
  std::vector<std::int32_t> now_;
  std::map<std::size_t, Forecast> kept_;
};

struct DaySum {
  std::array<double, kForecasterNames.size()> sums{};
  double moments = 0;
};

void set_means(Score& score, const std::map<std::int64_t, DaySum>& days,
               const std::array<bool, kForecasterNames.size()>& is_silent) {
  for (std::size_t who = 0; who < kForecasterNames.size(); ++who) {
    double sum = 0;
    for (const auto& [day, part] : days) sum += part.sums[who];
    if (score.moments > 0 && !is_silent[who]) score.mean[who] = sum / static_cast<double>(score.moments);
  }
}

void set_difference(Score& score, const std::map<std::int64_t, DaySum>& days) {
  constexpr auto kChain = static_cast<std::size_t>(Forecaster::chain);
  const Forecaster best = score.best_naive();
  if (best == Forecaster::chain || days.size() < 2) return;
  std::vector<double> naive;
  std::vector<double> chain;
  for (const auto& [day, part] : days) {
    naive.push_back(part.sums[static_cast<std::size_t>(best)] / part.moments);
    chain.push_back(part.sums[kChain] / part.moments);
  }
  const Estimate difference = estimate_difference(naive, chain);
  score.better_by = difference.mean;
  score.half_width = difference.half_width;
}

Score score_of(const ForecastTarget& target, const FittedChain& fit, const MarkovChain& chain,
               const TickSeries& fitted_on, const TickSeries& rest) {
  Score score{.what = target.name(), .rule = target.rule(), .mean = {}, .better_by = {}, .half_width = {}};
  Panel panel{target, fit, chain, fitted_on, rest};
  std::map<std::int64_t, DaySum> days;
  std::array<bool, kForecasterNames.size()> is_silent{};
  const std::vector<std::int32_t> outcomes = target.outcomes(rest);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i] < 0) continue;
    ++score.moments;
    DaySum& day = days[(rest.at_ms[i] - rest.at_ms.front()) / kMsPerDay];
    ++day.moments;
    for (std::size_t who = 0; who < kForecasterNames.size(); ++who) {
      const Forecast forecast = panel.forecast(static_cast<Forecaster>(who), i);
      is_silent[who] = is_silent[who] || forecast.empty();
      day.sums[who] += target.unit() * distance(forecast, outcomes[i]);
    }
  }
  set_means(score, days, is_silent);
  set_difference(score, days);
  return score;
}

}  // namespace

Forecaster Score::best_naive() const {
  auto best = Forecaster::chain;  // none
  for (std::size_t who = 1; who < mean.size(); ++who) {
    const bool is_first = best == Forecaster::chain;
    if (mean[who] && (is_first || *mean[who] < *mean[static_cast<std::size_t>(best)]))
      best = static_cast<Forecaster>(who);
  }
  return best;
}

std::vector<Score> score_forecasts(const FittedChain& fit, const TickSeries& fitted_on,
                                   const TickSeries& rest) {
  const MarkovChain chain{fit.profile};
  std::vector<Score> scores;
  for (const auto& target : forecast_targets(rest.tick, rest.cap))
    scores.push_back(score_of(*target, fit, chain, fitted_on, rest));
  return scores;
}

}  // namespace stockout
