#include "models/supply/forecast_score.h"

#include <algorithm>
#include <map>

#include "models/supply/pooled_regression.h"
#include "models/supply/score_blocks.h"
#include "models/supply/state_filter.h"

namespace stockout {
namespace {

constexpr SimDuration kBlockLength = std::chrono::hours{6};
constexpr std::size_t kBlocksPerDay = 4;

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
    if (of.drawn) drawn.emplace(*of.drawn, of);
  }

  const ScoredZone& zone;
  TickSeries fitted_on;
  TickSeries rest;
  Model chain;
  std::optional<Model> regimes;
  std::optional<Model> drawn;
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
      case Forecaster::blend:
        return blend(i);
      case Forecaster::regimes:
        return forecast_of(zone_.regimes, i);
      case Forecaster::drawn:
        return forecast_of(zone_.drawn, i);
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
        return regressed(i);
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

  [[nodiscard]] Forecast forecast_of(const std::optional<Model>& model, std::size_t i) const {
    return model ? forecast_of(*model, i) : Forecast{};
  }

  [[nodiscard]] Forecast regressed(std::size_t i) const {
    return shares_.empty() ? Forecast{} : Forecast{1 - shares_[zone_.zone.fitted + i]};
  }

  [[nodiscard]] Forecast blend(std::size_t i) const {
    const Forecast regimes = forecast_of(zone_.regimes, i);
    const Forecast regression = regressed(i);
    if (regimes.empty() || regression.empty()) return {};
    return {(regimes.front() + regression.front()) / 2};
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

struct BlockSum {
  std::array<double, kForecasterNames.size()> sums{};
  double moments = 0;
};

// By zone, then in time.
using Blocks = std::vector<std::vector<BlockSum>>;
using Silent = std::array<bool, kForecasterNames.size()>;

void set_means(Score& score, const Blocks& zones, const Silent& is_silent) {
  for (std::size_t who = 0; who < kForecasterNames.size(); ++who) {
    double sum = 0;
    for (const auto& blocks : zones) {
      for (const BlockSum& block : blocks) sum += block.sums[who];
    }
    if (score.moments > 0 && !is_silent[who]) score.mean[who] = sum / static_cast<double>(score.moments);
  }
}

// Of that forecaster less the model.
std::vector<std::vector<ScoreBlock>> differences(const Blocks& zones, std::size_t who, Forecaster model) {
  std::vector<std::vector<ScoreBlock>> all;
  for (const auto& blocks : zones) {
    auto& own = all.emplace_back();
    for (const BlockSum& block : blocks) {
      own.push_back({.difference = block.sums[who] - block.sums[static_cast<std::size_t>(model)],
                     .moments = block.moments});
    }
  }
  return all;
}

void set_differences(Score& score, const Blocks& zones, SimDuration lead) {
  BlockLengths lengths{.least = 1, .most = kBlocksPerDay};
  while (kBlockLength * static_cast<std::int64_t>(lengths.least) < lead) lengths.least *= 2;
  lengths.most = std::max(lengths.most, lengths.least);
  for (std::size_t who = 0; who < kForecasterNames.size(); ++who) {
    if (!score.mean[who] || who == static_cast<std::size_t>(score.model)) continue;
    score.better_than[who] = mean_difference(differences(zones, who, score.model), lengths);
  }
}

void add_zone(Score& score, std::vector<BlockSum>& blocks, Silent& is_silent, const ForecastTarget& target,
              const TickSeries& rest, Panel& panel) {
  const std::vector<std::int32_t> outcomes = target.outcomes(rest);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i] < 0) continue;
    ++score.moments;
    const auto number = static_cast<std::size_t>((rest.at_ms[i] - rest.at_ms.front()) / kBlockLength.count());
    if (blocks.size() <= number) blocks.resize(number + 1);
    BlockSum& block = blocks[number];
    ++block.moments;
    for (std::size_t who = 0; who < kForecasterNames.size(); ++who) {
      const Forecast forecast = panel.forecast(static_cast<Forecaster>(who), i);
      is_silent[who] = is_silent[who] || forecast.empty();
      block.sums[who] += target.unit() * distance(forecast, outcomes[i]);
    }
  }
}

Score score_of(const ForecastTarget& target, const std::vector<ZoneModels>& zones) {
  Score score{.what = target.name(), .rule = target.rule(), .mean = {}, .better_than = {}};
  if (zones.front().regimes) score.model = target.is_event() ? Forecaster::blend : Forecaster::regimes;
  const PooledRegression regression = target.is_event() ? regression_of(target, zones) : PooledRegression{};
  Blocks blocks(zones.size());
  Silent is_silent{};
  for (std::size_t zone = 0; zone < zones.size(); ++zone) {
    Panel panel{target, zones[zone], target.is_event() ? &regression : nullptr};
    add_zone(score, blocks[zone], is_silent, target, zones[zone].rest, panel);
  }
  set_means(score, blocks, is_silent);
  set_differences(score, blocks, target.lead());
  return score;
}

}  // namespace

Forecaster Score::best_naive() const {
  auto best = model;  // none
  for (const Forecaster who : {Forecaster::persistence, Forecaster::climatology, Forecaster::given_now}) {
    const auto& own = mean[static_cast<std::size_t>(who)];
    if (own && (best == model || *own < *mean[static_cast<std::size_t>(best)])) best = who;
  }
  return best;
}

std::vector<Score> score_forecasts(std::span<const ScoredZone> zones, const ForecastHorizons& horizons) {
  const std::vector<ZoneModels> models(zones.begin(), zones.end());
  const TickSeries& any = zones.front().series;
  std::vector<Score> scores;
  for (const auto& target : forecast_targets(any.tick, any.cap, horizons))
    scores.push_back(score_of(*target, models));
  return scores;
}

}  // namespace stockout
