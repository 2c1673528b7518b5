#include "models/supply/forecast_score.h"

#include <algorithm>
#include <map>

#include "models/supply/forecast_targets.h"
#include "models/supply/pooled_regression.h"
#include "models/supply/state_filter.h"
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

// A chain, and what it knows at each value.
struct Model {
  Model(const FittedChain& fitted, const ScoredZone& zone)
      : fit{fitted}, chain{fitted.profile}, shares{state_shares(chain, fitted, zone.series)} {}

  const FittedChain& fit;
  MarkovChain chain;
  std::vector<std::vector<double>> shares;
};

// A zone, its models, and the part of it that is scored.
struct ZoneModels {
  explicit ZoneModels(const ScoredZone& of)
      : zone{of},
        fitted_on{of.series.part(0, of.fitted)},
        rest{of.series.part(of.fitted, of.series.size())},
        chain{of.chain, of} {
    if (of.regimes) regimes.emplace(*of.regimes, of);
  }

  const ScoredZone& zone;
  TickSeries fitted_on;
  TickSeries rest;
  Model chain;
  std::optional<Model> regimes;
};

PooledRegression regression_of(const ForecastTarget& target, const std::vector<ZoneModels>& zones) {
  PooledRegression regression;
  for (const ZoneModels& zone : zones)
    regression.learn(zone.fitted_on, target.wanted(), target.outcomes(zone.fitted_on));
  regression.solve();
  return regression;
}

// All forecasters of one target in one zone, from the days fitted on.
class Panel {
 public:
  Panel(const ForecastTarget& target, const ZoneModels& zone, const PooledRegression* regression)
      : target_{target}, zone_{zone} {
    const std::vector<std::int32_t> known = target.outcomes(zone.fitted_on);
    usual_ = as_often(known, target.size(), [](std::size_t) { return true; });
    for (const bool enough : {false, true}) {
      given_[enough ? 1 : 0] = as_often(known, target.size(), [&](std::size_t i) {
        return (zone.fitted_on.values[i] >= target.wanted()) == enough;
      });
    }
    const auto last = std::ranges::find_if(known.rbegin(), known.rend(), [](auto v) { return v >= 0; });
    now_ = target.as_now(zone.rest, last == known.rend() ? -1 : *last);
    if (regression != nullptr) shares_ = regression->forecast(zone.zone.series, target.wanted());
  }

  // From value `i` of the rest.
  [[nodiscard]] Forecast forecast(Forecaster who, std::size_t i) {
    switch (who) {
      case Forecaster::regimes:
        return zone_.regimes ? forecast_of(*zone_.regimes, i) : Forecast{};
      case Forecaster::chain:
        return chain_forecast(i);
      case Forecaster::persistence:
        return now_[i] < 0 ? Forecast{} : certain(now_[i], target_.size());
      case Forecaster::climatology:
        return usual_;
      case Forecaster::given_now: {
        const Forecast& given = given_[zone_.rest.values[i] >= target_.wanted() ? 1 : 0];
        return given.empty() ? usual_ : given;
      }
      case Forecaster::regression:
        return shares_.empty() ? Forecast{} : Forecast{1 - shares_[zone_.zone.fitted + i]};
    }
    return {};
  }

 private:
  [[nodiscard]] Forecast forecast_of(const Model& model, std::size_t i) const {
    return target_.forecast({.chain = model.chain,
                             .fit = model.fit,
                             .series = zone_.rest,
                             .i = i,
                             .shares = model.shares[zone_.zone.fitted + i]});
  }

  // Without hours it depends on the level alone.
  Forecast chain_forecast(std::size_t i) {
    const Model& model = zone_.chain;
    if (model.chain.hours() > 1) return forecast_of(model, i);
    Forecast& kept = kept_[model.fit.level_of(zone_.rest.values[i])];
    if (kept.empty()) kept = forecast_of(model, i);
    return kept;
  }

  const ForecastTarget& target_;
  const ZoneModels& zone_;
  Forecast usual_;
  std::array<Forecast, 2> given_;
  std::vector<std::int32_t> now_;
  std::map<std::size_t, Forecast> kept_;
  std::vector<double> shares_;
};

struct DaySum {
  std::array<double, kForecasterNames.size()> sums{};
  double moments = 0;
};

// By zone and day.
using Days = std::map<std::pair<std::size_t, std::int64_t>, DaySum>;
using Silent = std::array<bool, kForecasterNames.size()>;

void set_means(Score& score, const Days& days, const Silent& is_silent) {
  for (std::size_t who = 0; who < kForecasterNames.size(); ++who) {
    double sum = 0;
    for (const auto& [day, part] : days) sum += part.sums[who];
    if (score.moments > 0 && !is_silent[who]) score.mean[who] = sum / static_cast<double>(score.moments);
  }
}

std::vector<double> daily_means(const Days& days, Forecaster who) {
  std::vector<double> means;
  for (const auto& [day, part] : days)
    means.push_back(part.sums[static_cast<std::size_t>(who)] / part.moments);
  return means;
}

void set_differences(Score& score, const Days& days) {
  if (days.size() < 2) return;
  const std::vector<double> model = daily_means(days, score.model());
  for (std::size_t who = 0; who < kForecasterNames.size(); ++who) {
    if (!score.mean[who] || who == static_cast<std::size_t>(score.model())) continue;
    score.better_than[who] = estimate_difference(daily_means(days, static_cast<Forecaster>(who)), model);
  }
}

void add_zone(Score& score, Days& days, Silent& is_silent, std::size_t zone, const ForecastTarget& target,
              const TickSeries& rest, Panel& panel) {
  const std::vector<std::int32_t> outcomes = target.outcomes(rest);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i] < 0) continue;
    ++score.moments;
    DaySum& day = days[{zone, (rest.at_ms[i] - rest.at_ms.front()) / kMsPerDay}];
    ++day.moments;
    for (std::size_t who = 0; who < kForecasterNames.size(); ++who) {
      const Forecast forecast = panel.forecast(static_cast<Forecaster>(who), i);
      is_silent[who] = is_silent[who] || forecast.empty();
      day.sums[who] += target.unit() * distance(forecast, outcomes[i]);
    }
  }
}

Score score_of(const ForecastTarget& target, const std::vector<ZoneModels>& zones) {
  Score score{.what = target.name(), .rule = target.rule(), .mean = {}, .better_than = {}};
  score.has_regimes = zones.front().regimes.has_value();
  const PooledRegression regression = target.is_event() ? regression_of(target, zones) : PooledRegression{};
  Days days;
  Silent is_silent{};
  for (std::size_t zone = 0; zone < zones.size(); ++zone) {
    Panel panel{target, zones[zone], target.is_event() ? &regression : nullptr};
    add_zone(score, days, is_silent, zone, target, zones[zone].rest, panel);
  }
  set_means(score, days, is_silent);
  set_differences(score, days);
  return score;
}

}  // namespace

Forecaster Score::best_naive() const {
  auto best = model();  // none
  for (const Forecaster who : {Forecaster::persistence, Forecaster::climatology, Forecaster::given_now}) {
    const auto& own = mean[static_cast<std::size_t>(who)];
    if (own && (best == model() || *own < *mean[static_cast<std::size_t>(best)])) best = who;
  }
  return best;
}

std::vector<Score> score_forecasts(std::span<const ScoredZone> zones) {
  const std::vector<ZoneModels> models(zones.begin(), zones.end());
  const TickSeries& any = zones.front().series;
  std::vector<Score> scores;
  for (const auto& target : forecast_targets(any.tick, any.cap)) scores.push_back(score_of(*target, models));
  return scores;
}

}  // namespace stockout
