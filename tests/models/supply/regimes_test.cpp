// Hidden regimes: the filter against sums over all paths, planted regimes found again, and fits that keep
// what is a zone's own. Bounds are 4 standard errors, or follow from the method.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <boost/math/distributions/normal.hpp>
#include <catch2/catch.hpp>

#include "models/supply/fit_check.h"
#include "models/supply/regime_climb.h"
#include "models/supply/regime_fit.h"
#include "models/supply/score_blocks.h"
#include "sim/random/draw.h"

using namespace stockout;
using namespace std::chrono_literals;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Three regimes of two phases that show three levels.
Regimes three_regimes() {
  Regimes regimes{.leave = MatrixXd(3, 2),
                  .enter = MatrixXd(3, 2),
                  .next = MatrixXd(3, 3),
                  .shows = MatrixXd(3, 3),
                  .start = VectorXd(6)};
  regimes.leave << 0.3, 0.02, 0.2, 0.05, 0.4, 0.1;
  regimes.enter << 0.7, 0.3, 0.5, 0.5, 0.2, 0.8;
  regimes.next << 0, 0.6, 0.4, 0.3, 0, 0.7, 0.9, 0.1, 0;
  regimes.shows << 0.8, 0.15, 0.05, 0.2, 0.7, 0.1, 0.05, 0.15, 0.8;
  regimes.start << 0.1, 0.2, 0.1, 0.3, 0.2, 0.1;
  return regimes;
}

// A zone that is off or on for long, and flickers while it is on.
MarkovProfile off_and_on(double goes_on, double goes_off) {
  MarkovProfile profile;
  profile.cap = 16;
  profile.tick = 10min;
  profile.machines = {0, 4, 16};
  profile.transitions = {{1 - goes_on, goes_on}, {goes_off, 1 - goes_off}};
  profile.shows = {{0.96, 0.03, 0.01}, {0.05, 0.25, 0.70}};
  return profile;
}

LevelSeries levels_in(const TickSeries& series) {
  LevelSeries levels;
  for (const std::int32_t value : series.values) levels.push_back(value == 0 ? 0 : value < 16 ? 1 : 2);
  return levels;
}

TickSeries of_values(const std::vector<std::int32_t>& values, std::int32_t cap) {
  TickSeries series{.values = values,
                    .follows = std::vector<std::uint8_t>(values.size(), 1),
                    .at_ms = {},
                    .tick = 10min,
                    .absolute = false,
                    .cap = cap};
  series.follows.front() = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    series.at_ms.push_back(static_cast<std::int64_t>(i) * 600'000);
  return series;
}

void check_rows(const std::vector<std::vector<double>>& rows) {
  for (const auto& row : rows) {
    CHECK(std::accumulate(row.begin(), row.end(), 0.0) == Approx(1));
    CHECK(*std::ranges::min_element(row) >= 0);
  }
}

double share_of_one(const FittedChain& fit) {
  const MarkovChain chain{fit.profile};
  return 1 - chain.shown(chain.long_run()).front();
}

}  // namespace

TEST_CASE("The filter says what a sum over all paths says", "[regimes]") {
  const Regimes regimes = three_regimes();
  const LevelSeries levels{2, 0, kNotSeen, 1, 1, 2};
  const MatrixXd moves = regimes.moves();
  const MatrixXd shown = regimes.shown();
  VectorXd last = VectorXd::Zero(6);
  VectorXd first = VectorXd::Zero(6);
  std::vector<Index> path;
  const std::function<void(double)> extend = [&](double weight) {
    if (path.size() == levels.size()) {
      last[path.back()] += weight;
      first[path.front()] += weight;
      return;
    }
    const int level = levels[path.size()];
    for (Index state = 0; state < 6; ++state) {
      const double moved = path.empty() ? regimes.start[state] : moves(path.back(), state);
      path.push_back(state);
      extend(weight * moved * (level == kNotSeen ? 1 : shown(state, level)));
      path.pop_back();
    }
  };
  extend(1);
  const RegimeCounts counts = expect(regimes, levels);
  CHECK(counts.log_likelihood == Approx(std::log(last.sum())));
  CHECK((counts.now - last / last.sum()).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((counts.start - first / first.sum()).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((state_shares(regimes, levels).row(5).transpose() - counts.now).cwiseAbs().maxCoeff() < 1e-12);
  CHECK(counts.seen.sum() == Approx(5));
  CHECK(counts.ticks().sum() == Approx(5));
}

TEST_CASE("Regimes take the long run that they are given, and keep the mean length of two spells",
          "[regimes]") {
  const Regimes regimes = three_regimes();
  VectorXd shares(6);
  shares << 0.05, 0.40, 0.10, 0.25, 0.05, 0.15;
  const Regimes moved = with_long_run(regimes, shares);
  CHECK((moved.long_run() - shares).cwiseAbs().maxCoeff() < 1e-6);
  CHECK((moved.moves().rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
  // Along a cycle and back, what is odd about one direction stays.
  const auto odds = [](const Regimes& of) {
    return of.next(0, 1) * of.next(1, 2) * of.next(2, 0) / (of.next(1, 0) * of.next(2, 1) * of.next(0, 2));
  };
  CHECK(odds(moved) == Approx(odds(regimes)));

  Regimes two{.leave = MatrixXd(2, 1),
              .enter = MatrixXd::Ones(2, 1),
              .next = MatrixXd(2, 2),
              .shows = MatrixXd::Identity(2, 2),
              .start = VectorXd::Constant(2, 0.5)};
  two.leave << 0.01, 0.01;
  two.next << 0, 1, 1, 0;
  const Regimes fifth = with_long_run(two, Eigen::Vector2d{0.8, 0.2});
  CHECK(fifth.leave(0, 0) == Approx(0.005));
  CHECK(fifth.leave(1, 0) == Approx(0.02));
}

TEST_CASE("Regimes take the shares of levels that they are given, and keep the odds of levels", "[regimes]") {
  const Regimes regimes = three_regimes();
  VectorXd shares(6);
  shares << 0.05, 0.40, 0.10, 0.25, 0.05, 0.15;
  const VectorXd levels = Eigen::Vector3d{0.6, 0.399, 0.001};
  const Regimes scaled = with_level_shares(regimes, shares, levels);
  CHECK((scaled.shown().transpose() * shares - levels).cwiseAbs().maxCoeff() < 1e-7);
  const auto odds = [](const Regimes& of) {
    return of.shows(0, 0) * of.shows(2, 2) / (of.shows(0, 2) * of.shows(2, 0));
  };
  CHECK(odds(scaled) == Approx(odds(regimes)));
}

TEST_CASE("In a closed ring each regime is entered as often as it is left", "[regimes]") {
  RegimeCounts counts = expect(three_regimes(), {0, 0, 1, 2, 2, kNotSeen, 1, 0, 2});
  CHECK(std::abs(counts.left.row(0).sum() - counts.entered.row(0).sum()) > 0.01);
  counts.close_ring();
  for (Index regime = 0; regime < 3; ++regime)
    CHECK(counts.left.row(regime).sum() == Approx(counts.entered.row(regime).sum()));
}

TEST_CASE("Planted regimes are found again", "[regimes]") {
  constexpr std::size_t kTicks = 20'000;
  const MarkovProfile truth = off_and_on(0.01, 0.02);
  const LevelSeries levels = levels_in(draw_series(truth, 0, kTicks, 5, 0));
  const Regimes found = fit_common({levels}, 2, 3).regimes;
  const Index off = found.shows(0, 0) > found.shows(1, 0) ? 0 : 1;
  const std::array<double, 2> share{2.0 / 3, 1.0 / 3};
  const std::array<double, 2> spell{100, 50};
  for (std::size_t i = 0; i < 2; ++i) {
    const Index regime = i == 0 ? off : 1 - off;
    INFO("regime " << i);
    for (std::size_t level = 0; level < 3; ++level) {
      const double p = truth.shows[i][level];
      const double error = std::sqrt(p * (1 - p) / (share[i] * kTicks));
      // Which regime a tick belongs to is nearly known; twice the error leaves room for the rest.
      CHECK(std::abs(found.shows(regime, static_cast<Index>(level)) - p) < 2 * 4 * error);
    }
    const double mean = found.enter.row(regime).cwiseQuotient(found.leave.row(regime)).sum();
    const double spells = share[i] * kTicks / spell[i];
    CHECK(std::abs(mean - spell[i]) < 4 * spell[i] / std::sqrt(spells));
  }
}

TEST_CASE("A fit draws a zone's own share and spells, whatever the others do", "[regimes][evidence]") {
  // One zone is seldom on, the other nearly always.
  const std::vector<TickSeries> zones{draw_series(off_and_on(0.01, 0.05), 0, 1'000, 6, 0),
                                      draw_series(off_and_on(0.10, 0.01), 0, 1'000, 6, 1)};
  const std::vector<FittedChain> fits = fit_regimes(zones);
  const std::vector<FittedChain> again = fit_regimes(zones);
  for (std::size_t i = 0; i < zones.size(); ++i) {
    INFO("zone " << i);
    CHECK(fits[i].profile.transitions == again[i].profile.transitions);
    CHECK(fits[i].profile.shows == again[i].profile.shows);
    check_rows(fits[i].profile.transitions);
    check_rows(fits[i].profile.shows);
    const Spells seen = spells_of(zones[i], 1);
    // The common regimes weigh one of 1,001 ticks; scaling ends at 1e-9, EM within another tick.
    CHECK(std::abs(share_of_one(fits[i]) - seen.share) < 2.0 / 1'001);
    const FitCheck check = check_fit(fits[i], zones[i]);
    // Lengths of spells vary at most about as geometric ones do.
    const double error = seen.mean_spell_h / std::sqrt(static_cast<double>(seen.ended));
    CHECK(std::abs(check.spells[0].spell_h.mean - seen.mean_spell_h) < 4 * error);
    CHECK(check.spells[0].wait_h.is_explained());
  }
}

TEST_CASE("Short, constant and broken series have regimes", "[regimes]") {
  TickSeries broken = of_values({0, 0, 3, 5, 0, 0, 16, 16, 16, 2, 0}, 16);
  for (std::size_t i = 4; i < broken.size(); ++i) broken.at_ms[i] += 86'400'000;
  broken.follows[4] = 0;
  for (const TickSeries& series :
       {of_values({0, 1}, 1), of_values(std::vector<std::int32_t>(300, 16), 16),
        of_values(std::vector<std::int32_t>(300, 0), 16), of_values({0, 16, 16}, 16), broken}) {
    for (const auto& fits :
         {fit_regimes(std::span{&series, 1}), fit_forecast_regimes(std::span{&series, 1})}) {
      check_rows(fits.front().profile.transitions);
      check_rows(fits.front().profile.shows);
      check_rows({fits.front().profile.now});
    }
  }
}

TEST_CASE("A mean difference by hand", "[regimes]") {
  const std::vector<std::vector<ScoreBlock>> zones{
      {{.difference = 1, .moments = 1}, {.difference = 3, .moments = 1}},
      {{.difference = 10, .moments = 1}, {.difference = 10, .moments = 1}}};
  const auto estimate = mean_difference(zones, {});
  REQUIRE(estimate);
  CHECK(estimate->mean == Approx(6));
  // The first zone's sum has variance 2 x 2, one degree of freedom: t = 12.706. The second does not vary.
  CHECK(*estimate->half_width == Approx(12.7062 * 2 / 4).epsilon(1e-4));
  CHECK_FALSE(mean_difference(std::vector<std::vector<ScoreBlock>>{{{.difference = 1, .moments = 1}}}, {}));
  CHECK_FALSE(mean_difference({}, {}));
}

TEST_CASE("Intervals of mean differences hold the truth about 95 times in 100", "[regimes]") {
  constexpr int kTrials = 400;
  for (const double memory : {0.0, 0.5}) {
    int held = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      Draw draw = RandomStreams{.seed = 9, .replication = static_cast<std::uint64_t>(trial)}.draw(
          Purpose::supply, memory > 0 ? 1 : 0, 0);
      const boost::math::normal normal;
      const auto one = [&] { return boost::math::quantile(normal, std::max(1e-12, uniform01(draw))); };
      std::vector<std::vector<ScoreBlock>> zones(6);
      for (std::size_t zone = 0; zone < zones.size(); ++zone) {
        // Zones have means of their own, whose mean is 0, and vary unlike each other.
        double now = one();
        for (int block = 0; block < 19; ++block) {
          zones[zone].push_back(
              {.difference = static_cast<double>(zone) - 2.5 + now * static_cast<double>(zone + 1),
               .moments = 1});
          now = memory * now + std::sqrt(1 - memory * memory) * one();
        }
      }
      const auto estimate = mean_difference(zones, {.least = 1, .most = 4});
      held += estimate->low() <= 0 && estimate->high() >= 0 ? 1 : 0;
    }
    INFO("memory " << memory);
    // With memory, blocks of four are not quite independent yet.
    const double least = memory > 0 ? 0.90 : 0.95;
    CHECK(held >= kTrials * least - 4 * std::sqrt(kTrials * least * (1 - least)));
    CHECK(held <= kTrials * 0.95 + 4 * std::sqrt(kTrials * 0.95 * 0.05));
  }
}
