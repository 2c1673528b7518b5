#include "models/supply/regime_fit.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "models/supply/regimes.h"
#include "sim/core/check.h"
#include "sim/random/draw.h"

namespace stockout {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kPhases = 3;
constexpr std::array<Index, 5> kRegimeCounts{3, 4, 5, 6, 8};
constexpr double kFirstPart = 0.7;
constexpr double kAsGood = 1.03;

// Ticks, ends and values that the common regimes are worth to a zone.
struct Weights {
  double leaving = 1;
  double ends = 100;
  double values = 100;
};

using Levels = std::vector<int>;

struct Common {
  Regimes regimes;
  std::vector<VectorXd> starts;  // by zone
  double log_likelihood = -std::numeric_limits<double>::infinity();
};

Levels levels_of(const FittedChain& fit, const TickSeries& series) {
  Levels levels;
  const std::size_t from = series.size() - std::min(series.size(), kMostFitted);
  for (std::size_t i = from; i < series.size(); ++i) {
    if (i > from) levels.insert(levels.end(), series.missing_before(i), kNotSeen);
    levels.push_back(static_cast<int>(fit.level_of(series.values[i])));
  }
  return levels;
}

// One of several beginnings: regimes spread over the levels, phases of minutes, hours and days.
Regimes beginning(Index regimes, Index levels, std::uint64_t number) {
  constexpr double kShortest = 0.3;
  constexpr double kLonger = 20;
  Draw draw = RandomStreams{.seed = 1, .replication = number}.draw(
      Purpose::supply, static_cast<std::uint64_t>(regimes), static_cast<std::uint64_t>(levels));
  const auto about_one = [&draw] { return 0.5 + uniform01(draw); };
  Regimes begin{.leave = MatrixXd(regimes, kPhases),
                .enter = MatrixXd::Constant(regimes, kPhases, 1.0 / kPhases),
                .next = MatrixXd::Constant(regimes, regimes, 1.0 / static_cast<double>(regimes - 1)),
                .shows = MatrixXd(regimes, levels),
                .start = VectorXd::Constant(regimes * kPhases, 1.0 / static_cast<double>(regimes * kPhases))};
  begin.next.diagonal().setZero();
  const double spacing = static_cast<double>(levels - 1) / static_cast<double>(regimes - 1);
  const double width = std::max(1.0, static_cast<double>(levels) / 8);
  for (Index regime = 0; regime < regimes; ++regime) {
    for (Index phase = 0; phase < kPhases; ++phase)
      begin.leave(regime, phase) = kShortest / std::pow(kLonger, phase) * about_one();
    const double middle = spacing * static_cast<double>(regime);
    for (Index level = 0; level < levels; ++level) {
      const double away = std::abs(static_cast<double>(level) - middle) / width;
      begin.shows(regime, level) = 0.02 + std::exp(-away) * about_one();
    }
    begin.shows.row(regime) /= begin.shows.row(regime).sum();
  }
  return begin;
}

// Says little: every row is even, and weighs less than one value.
RegimePrior weak_prior(const Regimes& like) {
  constexpr double kUsualLeave = 0.05;
  const auto even = [](Index rows, Index columns, Index of) {
    return MatrixXd{MatrixXd::Constant(rows, columns, 1.0 / static_cast<double>(of))};
  };
  RegimePrior prior{.regimes = like, .leaving = 1, .ends = 0.5, .values = 0.5};
  prior.regimes.leave.setConstant(kUsualLeave);
  prior.regimes.enter = even(like.regimes(), like.phases(), like.phases());
  prior.regimes.next = even(like.regimes(), like.regimes(), like.regimes() - 1);
  prior.regimes.next.diagonal().setZero();
  prior.regimes.shows = even(like.regimes(), like.shows.cols(), like.shows.cols());
  return prior;
}

Common climb(Regimes regimes, const std::vector<Levels>& zones) {
  constexpr int kMostSteps = 150;
  constexpr double kLeastGain = 0.1;
  const RegimePrior prior = weak_prior(regimes);
  Common common{.regimes = {}, .starts = std::vector<VectorXd>(zones.size(), regimes.start)};
  for (int step = 0; step < kMostSteps; ++step) {
    RegimeCounts counts{regimes};
    for (std::size_t zone = 0; zone < zones.size(); ++zone) {
      regimes.start = common.starts[zone];
      const RegimeCounts own = expect(regimes, zones[zone]);
      common.starts[zone] = (own.start.array() + 0.01).matrix();
      common.starts[zone] /= common.starts[zone].sum();
      counts.add(own);
    }
    regimes = maximise(counts, prior);
    const double gain = counts.log_likelihood - common.log_likelihood;
    common.log_likelihood = counts.log_likelihood;
    if (gain < kLeastGain) break;
  }
  common.regimes = std::move(regimes);
  return common;
}

Common fit_common(const std::vector<Levels>& zones, Index regimes, Index levels) {
  constexpr std::uint64_t kBeginnings = 4;
  Common best;
  for (std::uint64_t number = 0; number < kBeginnings; ++number) {
    Common one = climb(beginning(regimes, levels, number), zones);
    if (one.log_likelihood > best.log_likelihood) best = std::move(one);
  }
  return best;
}

struct ZoneRegimes {
  Regimes regimes;
  VectorXd now;
};

ZoneRegimes fit_zone(const Common& common, std::size_t zone, const Levels& levels, const Weights& weights) {
  constexpr int kSteps = 40;
  const RegimePrior prior{
      .regimes = common.regimes, .leaving = weights.leaving, .ends = weights.ends, .values = weights.values};
  ZoneRegimes fit{.regimes = common.regimes, .now = {}};
  fit.regimes.start = common.starts[zone];
  for (int step = 0; step < kSteps; ++step) {
    const RegimeCounts counts = expect(fit.regimes, levels);
    fit.regimes = maximise(counts, prior);
    fit.regimes.start = counts.start;
    fit.now = counts.now;
  }
  return fit;
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
void add_misses(Sum& sum, const Regimes& regimes, const MatrixXd& shares, const Levels& levels,
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

// The last part of the series is kept for choosing.
class Chooser {
 public:
  Chooser(const std::vector<Levels>& zones, const FittedChain& levels)
      : zones_{zones}, events_{events_of(levels)}, levels_{static_cast<Index>(levels.tops.size())} {
    for (const Levels& zone : zones) {
      const auto count = static_cast<std::size_t>(kFirstPart * static_cast<double>(zone.size()));
      first_.emplace_back(zone.begin(),
                          zone.begin() + static_cast<std::ptrdiff_t>(std::max(count, std::size_t{1})));
    }
  }

  struct Choice {
    Index regimes = kRegimeCounts.front();
    Weights weights;
    double score = std::numeric_limits<double>::infinity();
  };

  [[nodiscard]] Choice choose() const {
    std::vector<Choice> choices;
    for (const Index regimes : kRegimeCounts) {
      const Common common = fit_common(first_, regimes, levels_);
      Choice best;
      for (const double leaving : {1.0, 20.0}) {
        for (const double ends : {10.0, 100.0}) {
          for (const double values : {10.0, 100.0}) consider(best, common, regimes, {leaving, ends, values});
        }
      }
      choices.push_back(best);
    }
    const double least = std::ranges::min_element(choices, {}, &Choice::score)->score;
    return *std::ranges::find_if(choices, [&](const Choice& one) { return one.score <= kAsGood * least; });
  }

 private:
  void consider(Choice& best, const Common& common, Index regimes, const Weights& weights) const {
    const double score = mean_brier(common, weights);
    if (score < best.score) best = {.regimes = regimes, .weights = weights, .score = score};
  }

  // Mean over the events; infinite if there is nothing to forecast.
  [[nodiscard]] double mean_brier(const Common& common, const Weights& weights) const {
    std::vector<Sum> sums(events_.size());
    for (std::size_t zone = 0; zone < zones_.size(); ++zone) {
      const Regimes regimes = fit_zone(common, zone, first_[zone], weights).regimes;
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

  const std::vector<Levels>& zones_;
  std::vector<Event> events_;
  Index levels_;
  std::vector<Levels> first_;
};

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

}  // namespace

std::vector<FittedChain> fit_regimes(std::span<const TickSeries> zones) {
  const FittedChain levels = common_levels(zones);
  std::vector<Levels> seen;
  for (const TickSeries& zone : zones) seen.push_back(levels_of(levels, zone));
  const Chooser::Choice choice = Chooser{seen, levels}.choose();
  const Common common = fit_common(seen, choice.regimes, static_cast<Index>(levels.tops.size()));
  std::vector<FittedChain> fits;
  for (std::size_t zone = 0; zone < zones.size(); ++zone)
    fits.push_back(as_chain(fit_zone(common, zone, seen[zone], choice.weights), levels, zones[zone]));
  return fits;
}

}  // namespace stockout
