#include "models/supply/regimes.h"

#include <algorithm>
#include <cmath>

namespace stockout {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

// A regime of 10 min ticks lasts 70 days at most, and one tick at least.
constexpr double kLeastLeave = 1e-5;
constexpr double kMostLeave = 0.95;

// When scaling ends.
constexpr int kMostSweeps = 500;
constexpr double kEven = 1e-9;

// What is known of the states at each tick from the values up to it.
struct Filtered {
  MatrixXd shares;  // [tick][state]
  VectorXd scale;   // [tick] probability of the value, given those before
};

Filtered filter(const Regimes& regimes, const MatrixXd& moves, const MatrixXd& shown,
                const std::vector<int>& levels) {
  const auto ticks = static_cast<Index>(levels.size());
  Filtered filtered{.shares = MatrixXd(ticks, regimes.states()), .scale = VectorXd::Ones(ticks)};
  RowVectorXd shares = regimes.start.transpose();
  for (Index tick = 0; tick < ticks; ++tick) {
    if (tick > 0) shares = (shares * moves).eval();
    const int level = levels[static_cast<std::size_t>(tick)];
    if (level != kNotSeen) {
      shares = shares.cwiseProduct(shown.col(level).transpose()).eval();
      filtered.scale[tick] = shares.sum();
      shares /= shares.sum();
    }
    filtered.shares.row(tick) = shares;
  }
  return filtered;
}

void add_moves(RegimeCounts& counts, const Regimes& regimes, const MatrixXd& moved) {
  for (Index from = 0; from < regimes.states(); ++from) {
    const Index regime = regimes.regime_of(from);
    const Index phase = regimes.phase_of(from);
    counts.stayed(regime, phase) += moved(from, from);
    for (Index to = 0; to < regimes.states(); ++to) {
      const Index next = regimes.regime_of(to);
      if (next == regime) continue;
      counts.left(regime, phase) += moved(from, to);
      counts.followed(regime, next) += moved(from, to);
      counts.entered(next, regimes.phase_of(to)) += moved(from, to);
    }
  }
}

void normalize_rows(MatrixXd& rows) { rows.array().colwise() /= rows.rowwise().sum().array(); }

// Scales moves between states until each is entered as often as it is left. The diagonal is 0.
void balance(MatrixXd& moved) {
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double most = 0;
    for (Index state = 0; state < moved.rows(); ++state) {
      const double up = std::sqrt(moved.col(state).sum() / moved.row(state).sum());
      moved.row(state) *= up;
      moved.col(state) /= up;
      most = std::max(most, std::abs(up - 1));
    }
    if (most < kEven) return;
  }
}

}  // namespace

MatrixXd Regimes::moves() const {
  MatrixXd rows = MatrixXd::Zero(states(), states());
  for (Index from = 0; from < states(); ++from) {
    const double leaves = leave(regime_of(from), phase_of(from));
    rows(from, from) = 1 - leaves;
    for (Index to = 0; to < states(); ++to) {
      if (regime_of(to) == regime_of(from)) continue;
      rows(from, to) = leaves * next(regime_of(from), regime_of(to)) * enter(regime_of(to), phase_of(to));
    }
  }
  return rows;
}

MatrixXd Regimes::shown() const {
  MatrixXd rows(states(), shows.cols());
  for (Index state = 0; state < states(); ++state) rows.row(state) = shows.row(regime_of(state));
  return rows;
}

VectorXd Regimes::long_run() const {
  constexpr int kSquarings = 40;  // 2^40 ticks
  MatrixXd power = moves();
  for (int i = 0; i < kSquarings; ++i) {
    power = (power * power).eval();
    normalize_rows(power);
  }
  return power.row(0).transpose();
}

RegimeCounts::RegimeCounts(const Regimes& like)
    : stayed{MatrixXd::Zero(like.regimes(), like.phases())},
      left{stayed},
      entered{stayed},
      followed{MatrixXd::Zero(like.regimes(), like.regimes())},
      seen{MatrixXd::Zero(like.regimes(), like.shows.cols())},
      start{like.start},
      now{like.start} {}

void RegimeCounts::add(const RegimeCounts& other) {
  stayed += other.stayed;
  left += other.left;
  entered += other.entered;
  followed += other.followed;
  seen += other.seen;
  log_likelihood += other.log_likelihood;
}

void RegimeCounts::close_ring() {
  const Index phases = left.cols();
  MatrixXd moved = now * start.transpose();
  for (Index from = 0; from < moved.rows(); ++from) {
    for (Index to = 0; to < moved.cols(); ++to) {
      if (from / phases == to / phases) continue;
      left(from / phases, from % phases) += moved(from, to);
      followed(from / phases, to / phases) += moved(from, to);
      entered(to / phases, to % phases) += moved(from, to);
    }
  }
}

VectorXd RegimeCounts::ticks() const {
  const MatrixXd by_phase = (stayed + left).transpose();
  return by_phase.reshaped();
}

Regimes with_long_run(Regimes regimes, const VectorXd& states) {
  MatrixXd moved = states.asDiagonal() * regimes.moves();
  moved.diagonal().setZero();
  balance(moved);
  RegimeCounts counts{regimes};
  add_moves(counts, regimes, moved);
  const MatrixXd by_phase = states.reshaped(regimes.phases(), regimes.regimes()).transpose();
  regimes.leave = counts.left.cwiseQuotient(by_phase).cwiseMin(kMostLeave);
  regimes.enter = counts.entered;
  regimes.next = counts.followed;
  normalize_rows(regimes.enter);
  normalize_rows(regimes.next);
  return regimes;
}

Regimes with_level_shares(Regimes regimes, const VectorXd& states, const VectorXd& levels) {
  const VectorXd by_regime = states.reshaped(regimes.phases(), regimes.regimes()).colwise().sum().transpose();
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    const RowVectorXd shown = by_regime.transpose() * regimes.shows;
    const RowVectorXd scale = levels.transpose().cwiseQuotient(shown);
    regimes.shows.array().rowwise() *= scale.array();
    normalize_rows(regimes.shows);
    if ((scale.array() - 1).abs().maxCoeff() < kEven) break;
  }
  return regimes;
}

MatrixXd state_shares(const Regimes& regimes, const std::vector<int>& levels) {
  return filter(regimes, regimes.moves(), regimes.shown(), levels).shares;
}

RegimeCounts expect(const Regimes& regimes, const std::vector<int>& levels) {
  const MatrixXd moves = regimes.moves();
  const MatrixXd shown = regimes.shown();
  const Filtered filtered = filter(regimes, moves, shown, levels);
  RegimeCounts counts{regimes};
  counts.log_likelihood = filtered.scale.array().log().sum();
  MatrixXd moved = MatrixXd::Zero(regimes.states(), regimes.states());
  VectorXd later = VectorXd::Ones(regimes.states());  // of the values after a tick, scaled
  RowVectorXd shares = filtered.shares.row(filtered.shares.rows() - 1);
  counts.now = shares.transpose();
  for (Index tick = filtered.shares.rows() - 1; tick >= 0; --tick) {
    const int level = levels[static_cast<std::size_t>(tick)];
    if (level != kNotSeen) {
      for (Index state = 0; state < regimes.states(); ++state)
        counts.seen(regimes.regime_of(state), level) += shares[state];
    }
    if (tick == 0) break;
    if (level != kNotSeen) later = later.cwiseProduct(shown.col(level)).eval() / filtered.scale[tick];
    moved += (filtered.shares.row(tick - 1).transpose() * later.transpose()).cwiseProduct(moves);
    later = (moves * later).eval();
    shares = filtered.shares.row(tick - 1).cwiseProduct(later.transpose());
  }
  add_moves(counts, regimes, moved);
  counts.start = shares.transpose() / shares.sum();
  return counts;
}

Regimes maximise(const RegimeCounts& counts, const RegimePrior& prior) {
  Regimes regimes = prior.regimes;
  const MatrixXd ticks = (counts.left + counts.stayed).array() + prior.leaving;
  regimes.leave = (counts.left + prior.leaving * prior.regimes.leave).cwiseQuotient(ticks);
  regimes.leave = regimes.leave.cwiseMax(kLeastLeave).cwiseMin(kMostLeave).eval();
  regimes.next = counts.followed + prior.ends * prior.regimes.next;
  regimes.enter = counts.entered + prior.ends * prior.regimes.enter;
  regimes.shows = counts.seen + prior.values * prior.regimes.shows;
  normalize_rows(regimes.next);
  normalize_rows(regimes.enter);
  normalize_rows(regimes.shows);
  return regimes;
}

}  // namespace stockout
