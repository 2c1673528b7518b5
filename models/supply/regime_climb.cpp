#include "models/supply/regime_climb.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/random/draw.h"

namespace stockout {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kPhases = 3;

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

CommonRegimes climb(Regimes regimes, const std::vector<LevelSeries>& zones) {
  constexpr int kMostSteps = 150;
  constexpr double kLeastGain = 0.1;
  const RegimePrior prior = weak_prior(regimes);
  CommonRegimes common{.regimes = {},
                       .starts = std::vector<VectorXd>(zones.size(), regimes.start),
                       .log_likelihood = -std::numeric_limits<double>::infinity()};
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

// What the common regimes say of a zone that was not seen; they weigh one tick.
void set_shares(ZoneRegimes& fit, const RegimeCounts& counts, const CommonRegimes& common) {
  const VectorXd usual = common.regimes.long_run();
  fit.states = counts.ticks() + counts.now + usual;
  fit.levels = counts.seen.colwise().sum().transpose() + common.regimes.shown().transpose() * usual;
  fit.states /= fit.states.sum();
  fit.levels /= fit.levels.sum();
}

}  // namespace

CommonRegimes fit_common(const std::vector<LevelSeries>& zones, Index regimes, Index levels) {
  constexpr std::uint64_t kBeginnings = 4;
  CommonRegimes best{.regimes = {}, .starts = {}, .log_likelihood = -std::numeric_limits<double>::infinity()};
  for (std::uint64_t number = 0; number < kBeginnings; ++number) {
    CommonRegimes one = climb(beginning(regimes, levels, number), zones);
    if (one.log_likelihood > best.log_likelihood) best = std::move(one);
  }
  return best;
}

ZoneRegimes fit_zone(const CommonRegimes& common, std::size_t zone, const LevelSeries& levels,
                     const RegimeWeights& weights, OwnShares own) {
  constexpr int kSteps = 40;
  const RegimePrior prior{
      .regimes = common.regimes, .leaving = weights.leaving, .ends = weights.ends, .values = weights.values};
  ZoneRegimes fit{.regimes = common.regimes, .now = {}, .states = {}, .levels = {}};
  fit.regimes.start = common.starts[zone];
  for (int step = 0; step < kSteps; ++step) {
    RegimeCounts counts = expect(fit.regimes, levels);
    set_shares(fit, counts, common);
    if (own == OwnShares::all) counts.close_ring();
    fit.regimes = with_level_shares(maximise(counts, prior), fit.states, fit.levels);
    if (own == OwnShares::all) fit.regimes = with_long_run(fit.regimes, fit.states);
    fit.regimes.start = counts.start;
    fit.now = counts.now;
  }
  return fit;
}

}  // namespace stockout
