#include "models/supply/regime_fit.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "models/supply/regime_climb.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::array<Index, 5> kRegimeCounts{3, 4, 5, 6, 8};
constexpr double kFirstPart = 0.7;

LevelSeries levels_of(const FittedChain& fit, const TickSeries& series) {
  LevelSeries levels;
  const std::size_t from = series.size() - std::min(series.size(), kMostFitted);
  for (std::size_t i = from; i < series.size(); ++i) {
    if (i > from) levels.insert(levels.end(), series.missing_before(i), kNotSeen);
    levels.push_back(static_cast<int>(fit.level_of(series.values[i])));
  }
  return levels;
}

// What is forecast to choose by: whether a level of at least `least` is shown `ticks` later.
struct Event {
  int least = 0;
  std::size_t ticks = 0;
};

std::vector<Event> events_of(const FittedChain& levels) {
  using namespace std::chrono_literals;
  std::vector<Event> events;
  const SimDuration tick = levels.profile.tick;
  const auto most = static_cast<int>(levels.tops.size() - 1);
  for (const SimDuration later : {SimDuration{10min}, SimDuration{1h}, SimDuration{6h}, SimDuration{24h}}) {
    const auto ticks = static_cast<std::size_t>(std::max<std::int64_t>(1, (later + tick / 2) / tick));
    events.push_back({.least = 1, .ticks = ticks});
    if (most > 1) events.push_back({.least = most, .ticks = ticks});
  }
  return events;
}

struct Sum {
  double squares = 0;
  double moments = 0;
};

// Squared misses of the forecasts made from `from` on.
void add_misses(Sum& sum, const Regimes& regimes, const MatrixXd& shares, const LevelSeries& levels,
                std::size_t from, const Event& event) {
  const Index least = event.least;
  const MatrixXd moves = regimes.moves();
  VectorXd later = regimes.shown().rightCols(regimes.shows.cols() - least).rowwise().sum();
  for (std::size_t tick = 0; tick < event.ticks; ++tick) later = (moves * later).eval();
  for (std::size_t i = from; i + event.ticks < levels.size(); ++i) {
    const int came = levels[i + event.ticks];
    if (levels[i] == kNotSeen || came == kNotSeen) continue;
    const double miss = shares.row(static_cast<Index>(i)).dot(later) - (came >= event.least ? 1 : 0);
    sum.squares += miss * miss;
    sum.moments += 1;
  }
}

// What regimes are chosen by: the last part of each series, held out.
class HeldOut {
 public:
  HeldOut(const std::vector<LevelSeries>& zones, const FittedChain& levels)
      : zones_{zones}, events_{events_of(levels)} {
    for (const LevelSeries& zone : zones) {
      const auto count = static_cast<std::size_t>(kFirstPart * static_cast<double>(zone.size()));
      first_.emplace_back(zone.begin(),
                          zone.begin() + static_cast<std::ptrdiff_t>(std::max(count, std::size_t{1})));
    }
  }

  [[nodiscard]] const std::vector<LevelSeries>& first() const { return first_; }

  // Log-likelihood of what is held out, given what is not; less than none where it says nothing.
  [[nodiscard]] double log_likelihood(const CommonRegimes& common) const {
    double sum = 0;
    for (std::size_t zone = 0; zone < zones_.size(); ++zone) {
      const Regimes regimes = fit_zone(common, zone, first_[zone], {}, OwnShares::all).regimes;
      sum += expect(regimes, zones_[zone]).log_likelihood - expect(regimes, first_[zone]).log_likelihood;
    }
    return sum;
  }

  // Mean over the events; infinite if there is nothing to forecast.
  [[nodiscard]] double mean_brier(const CommonRegimes& common, const RegimeWeights& weights) const {
    std::vector<Sum> sums(events_.size());
    for (std::size_t zone = 0; zone < zones_.size(); ++zone) {
      const Regimes regimes = fit_zone(common, zone, first_[zone], weights, OwnShares::levels).regimes;
      const MatrixXd shares = state_shares(regimes, zones_[zone]);
      for (std::size_t i = 0; i < events_.size(); ++i)
        add_misses(sums[i], regimes, shares, zones_[zone], first_[zone].size(), events_[i]);
    }
    double mean = 0;
    double known = 0;
    for (const Sum& sum : sums) {
      if (sum.moments == 0) continue;
      mean += sum.squares / sum.moments;
      ++known;
    }
    return known == 0 ? std::numeric_limits<double>::infinity() : mean / known;
  }

 private:
  const std::vector<LevelSeries>& zones_;
  std::vector<Event> events_;
  std::vector<LevelSeries> first_;
};

struct RegimeChoice {
  Index regimes = kRegimeCounts.front();
  RegimeWeights weights;
};

// The likeliest. Its own values decide where a zone has any.
RegimeChoice choose_to_draw(const HeldOut& held_out, Index levels) {
  RegimeChoice best;
  double most = -std::numeric_limits<double>::infinity();
  for (const Index regimes : kRegimeCounts) {
    const double gain = held_out.log_likelihood(fit_common(held_out.first(), regimes, levels));
    if (gain > most) best.regimes = regimes;
    most = std::max(most, gain);
  }
  return best;
}

// Of the least Brier score.
RegimeChoice choose_to_forecast(const HeldOut& held_out, Index levels) {
  RegimeChoice best;
  double least = std::numeric_limits<double>::infinity();
  for (const Index regimes : kRegimeCounts) {
    const CommonRegimes common = fit_common(held_out.first(), regimes, levels);
    for (const double leaving : {1.0, 20.0}) {
      for (const double ends : {10.0, 100.0}) {
        for (const double values : {10.0, 100.0}) {
          const RegimeWeights weights{.leaving = leaving, .ends = ends, .values = values};
          const double score = held_out.mean_brier(common, weights);
          if (score < least) best = {.regimes = regimes, .weights = weights};
          least = std::min(least, score);
        }
      }
    }
  }
  return best;
}

std::vector<std::vector<double>> rows_of(const MatrixXd& matrix) {
  std::vector<std::vector<double>> rows;
  for (const auto& row : matrix.rowwise()) rows.emplace_back(row.begin(), row.end());
  return rows;
}

// The levels of all zones together.
FittedChain common_levels(std::span<const TickSeries> zones) {
  TickSeries all = zones.front();
  for (const TickSeries& zone : zones.subspan(1)) {
    STOCKOUT_CHECK(zone.cap == all.cap && zone.tick == all.tick);
    all.values.insert(all.values.end(), zone.values.begin(), zone.values.end());
  }
  return with_levels(all, kMostLevels);
}

FittedChain as_chain(const ZoneRegimes& zone, FittedChain levels, const TickSeries& series) {
  levels.profile.transitions = rows_of(zone.regimes.moves());
  levels.profile.shows = rows_of(zone.regimes.shown());
  levels.profile.now.assign(zone.now.begin(), zone.now.end());
  levels.visits.assign(levels.tops.size(), 0);
  for (const std::int32_t value : series.values) ++levels.visits[levels.level_of(value)];
  levels.transitions = static_cast<std::uint64_t>(std::ranges::count(series.follows, 1));
  return levels;
}

// All zones with the levels that they have in common.
std::vector<FittedChain> fit_all(std::span<const TickSeries> zones, OwnShares own) {
  const FittedChain levels = common_levels(zones);
  const auto count = static_cast<Index>(levels.tops.size());
  std::vector<LevelSeries> seen;
  for (const TickSeries& zone : zones) seen.push_back(levels_of(levels, zone));
  const HeldOut held_out{seen, levels};
  const RegimeChoice choice =
      own == OwnShares::all ? choose_to_draw(held_out, count) : choose_to_forecast(held_out, count);
  const CommonRegimes common = fit_common(seen, choice.regimes, count);
  std::vector<FittedChain> fits;
  for (std::size_t zone = 0; zone < zones.size(); ++zone)
    fits.push_back(as_chain(fit_zone(common, zone, seen[zone], choice.weights, own), levels, zones[zone]));
  return fits;
}

}  // namespace

std::vector<FittedChain> fit_regimes(std::span<const TickSeries> zones) {
  return fit_all(zones, OwnShares::all);
}

std::vector<FittedChain> fit_forecast_regimes(std::span<const TickSeries> zones) {
  return fit_all(zones, OwnShares::levels);
}

}  // namespace stockout
