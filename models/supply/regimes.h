#pragma once

#include <vector>

#include <Eigen/Core>

namespace stockout {

/// A hidden semi-Markov model of a zone: slow regimes that nobody sees, each of which shows levels of
/// capacity, drawn anew at each tick. A regime's length is a mixture of geometric laws, its phases: so it may
/// be minutes or days. (M. Dewar, C. Wiggins, F. Wood: Inference in hidden Markov models with explicit state
/// duration distributions, 2012; phases as in M. F. Neuts: Probability distributions of phase type, 1975.)
///
/// On leaving a regime, the next one and then its phase are drawn. As a Markov chain it has a hidden state
/// for each regime and phase; state r * phases() + p is phase p of regime r.
struct Regimes {
  Eigen::MatrixXd leave;  // [regime][phase] probability per tick that the regime is left
  Eigen::MatrixXd enter;  // [regime][phase] share of the phase among the spells of the regime; rows sum to 1
  Eigen::MatrixXd next;   // [regime][regime] which one follows; rows sum to 1, the diagonal is 0
  Eigen::MatrixXd shows;  // [regime][level] what is seen; rows sum to 1
  Eigen::VectorXd start;  // [state] at the first value of a series

  [[nodiscard]] Eigen::Index regimes() const { return leave.rows(); }
  [[nodiscard]] Eigen::Index phases() const { return leave.cols(); }
  [[nodiscard]] Eigen::Index states() const { return leave.size(); }
  [[nodiscard]] Eigen::Index regime_of(Eigen::Index state) const { return state / phases(); }
  [[nodiscard]] Eigen::Index phase_of(Eigen::Index state) const { return state % phases(); }

  /// [state][state] probabilities of one tick.
  [[nodiscard]] Eigen::MatrixXd moves() const;
  /// [state][level] what a state shows.
  [[nodiscard]] Eigen::MatrixXd shown() const;
  /// [state] shares in the long run; all states must be entered now and then.
  [[nodiscard]] Eigen::VectorXd long_run() const;
};

/// How often each thing is expected to have happened, given what was seen.
struct RegimeCounts {
  Eigen::MatrixXd stayed;    // [regime][phase] ticks
  Eigen::MatrixXd left;      // [regime][phase]
  Eigen::MatrixXd entered;   // [regime][phase]
  Eigen::MatrixXd followed;  // [regime][regime]
  Eigen::MatrixXd seen;      // [regime][level]
  Eigen::VectorXd start;     // [state] shares at the first value
  Eigen::VectorXd now;       // [state] shares at the last value
  double log_likelihood = 0;

  explicit RegimeCounts(const Regimes& like);
  /// Adds all but `start` and `now`, which are a series' own.
  void add(const RegimeCounts& other);
  /// Lets the first value follow the last one: then each state is entered as often as it is left.
  void close_ring();
  /// [state] ticks, all but the last.
  [[nodiscard]] Eigen::VectorXd ticks() const;
};

/// A prior: regimes, and how many ticks (leaving), ends (next regime and phase) and
/// values (seen) of evidence they are worth in each row.
struct RegimePrior {
  Regimes regimes;
  double leaving = 1;
  double ends = 1;
  double values = 1;
};

/// The regimes nearest to these, in relative entropy, that have these shares of states in the long run.
///
/// Moves from i to j are scaled by exp(u(i) - u(j)), with the u for which each state is entered as often as
/// it is left (E. E. Osborne: On pre-conditioning of matrices, 1960). This keeps, of two states that follow
/// each other, the geometric mean of the lengths of their spells. `states` sums to 1 and has no 0. A state is
/// left with a probability of at most 0.95 per tick: where that binds, its share is a little greater.
[[nodiscard]] Regimes with_long_run(Regimes regimes, const Eigen::VectorXd& states);

/// The regimes nearest to these, in relative entropy, that show these shares of levels while the states have
/// those shares. Levels are scaled by regime and by level (W. E. Deming, F. F. Stephan: On a least squares
/// adjustment of a sampled frequency table, 1940), so that odds ratios are kept (SPREE: N. J. Purcell, L.
/// Kish: Postcensal estimates for local areas, 1980). Both sum to 1 and have no 0.
[[nodiscard]] Regimes with_level_shares(Regimes regimes, const Eigen::VectorXd& states,
                                        const Eigen::VectorXd& levels);

/// Levels by tick; kNotSeen where there is no sample.
inline constexpr int kNotSeen = -1;

/// [tick][state] shares of the states, given the levels up to each tick.
[[nodiscard]] Eigen::MatrixXd state_shares(const Regimes& regimes, const std::vector<int>& levels);

/// The expectation step of Baum and Welch, scaled. (L. R. Rabiner: A tutorial on hidden Markov models, 1989.)
[[nodiscard]] RegimeCounts expect(const Regimes& regimes, const std::vector<int>& levels);

/// The maximisation step: the regimes of greatest posterior probability given the counts. Keeps `start`.
[[nodiscard]] Regimes maximise(const RegimeCounts& counts, const RegimePrior& prior);

}  // namespace stockout
