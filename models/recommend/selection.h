#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace stockout {

/// A candidate in one replication.
struct Observation {
  double cost = 0;                         // USD
  std::vector<std::optional<double>> met;  // by goal: the share that met it; none: nothing it is about came
  std::vector<double> jobs =
      {};  // by goal: of how many jobs it is the share; 0, or none of them: it is exact
};

/// How large a share has to be at least, on average.
struct ShareGoal {
  double share = 0;      // from 0 to 1
  double tolerance = 0;  // shares nearer to it than this may count either way; above 0
  bool of_all = false;   // all must meet it: it is missed as soon as one does not
};

/// How near to a share counts either way: what is usual, and at most half of what the share leaves to be
/// missed. Of a share of 1, which nothing can prove, kToleranceOfAll.
[[nodiscard]] double tolerance_above(double share, double usual);

inline constexpr double kToleranceOfAll = 0.001;

struct SelectionRules {
  std::vector<ShareGoal> goals;
  double indifference = 0;   // USD: whatever costs at most this more than the best is as good; above 0
  double error = 0.05;       // probability that the guarantee fails; from 0 to 1, exclusive
  std::size_t most = 1'000;  // replications of a candidate; at least first_look(round)
  std::size_t round = 1;     // replications that belong together, one in each of so many worlds; at least 1
};

/// How many replications there are at the first look: whole rounds, and at least kFirstLook.
[[nodiscard]] std::size_t first_look(std::size_t round);

/// How a candidate ended.
struct CandidateStanding {
  enum class Kind : std::uint8_t {
    chosen,
    as_good,    // may be cheaper than the chosen one, but by no more than the indifference
    dearer,     // than `by`, which meets all goals
    misses,     // goal `by`
    undecided,  // nobody could tell within `most` replications
  };
  Kind kind = Kind::undecided;
  std::size_t by = 0;
  bool meets_all = false;        // it was found to meet all goals
  std::size_t replications = 0;  // that counted
  std::size_t needs = 0;  // of the undecided: about how many replications would tell, as far as is seen
};

struct Selection {
  std::optional<std::size_t> chosen;         // none: all miss a goal, or it is undecided
  std::vector<CandidateStanding> standings;  // by candidate
  std::size_t observations = 0;              // that were asked for
};

/// Observations [candidate of `who`][replication from `from` to before `to`]. All candidates have the same
/// random numbers in a replication.
using Observe = std::function<std::vector<std::vector<Observation>>(std::span<const std::size_t> who,
                                                                    std::size_t from, std::size_t to)>;

/// The cheapest of the candidates that meet all goals, by as many replications as that takes.
///
/// After each next_look() one-sided intervals of Student's t are taken: of each share less its goal, and of
/// each difference in cost to the cheapest that is known to meet all goals. A candidate leaves if it surely
/// misses a goal, or surely costs no less than that one. It ends when nobody left can be cheaper by more than
/// the indifference. (C. Jennison, B. W. Turnbull: Repeated confidence intervals for group sequential
/// clinical trials, 1984. The error is divided evenly, by Bonferroni, among looks, shares and ordered pairs.)
///
/// Guarantee: with a probability of at least 1 - `error` the chosen one meets each goal but for the
/// tolerance, and costs at most the indifference more than the cheapest of those that meet each goal by more
/// than the tolerance. It holds for independent replications with normal costs and shares, however they
/// depend on one another within a replication. A share's standard deviation counts as no less than the
/// tolerance, and a share of jobs is known no better than by as many independent jobs (C. J. Clopper, E. S.
/// Pearson: The use of confidence or fiducial limits illustrated in the case of the binomial, 1934). So a
/// share that did not vary in few replications is not taken for certain. The mean has to be on the same side:
/// none is said to miss a goal that it meets on average, and none to meet one that it misses.
///
/// Rounds: only whole ones are looked at, so that every world is seen as often as it weighs before anything
/// is judged. The guarantee is then about means over noise and these worlds together. Replications are
/// independent, but not alike. Until there are kFirstLook rounds a replication is the unit, and the spread
/// between worlds counts as if it were chance: too wide, which is safe. From then on a round is the unit.
/// Rounds are alike, and differ by noise alone. Jobs of one world share its fate, so their number only ever
/// makes an interval wider.
///
/// The same for the same observations, however `observe` comes by them.
[[nodiscard]] Selection select_cheapest(std::size_t candidates, const SelectionRules& rules,
                                        const Observe& observe);

}  // namespace stockout
