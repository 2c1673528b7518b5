#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/sweep/stored_sweep.h"

namespace stockout {

/// Which strategy is to be bought at a point: the cheapest of those that run jobs of every class, meet the
/// goals on average and get the same work done, as the comparison at the point has found.
struct PointWinner {
  std::optional<std::size_t> winner;     // strategy; none: none of them does
  std::vector<std::size_t> tied;         // others that do and cost exactly the same
  std::optional<std::size_t> runner_up;  // the cheapest that does and costs more
  /// Whether chance cannot have decided: the verdict of the comparison at the point is not undecided, and its
  /// intervals are of more than one replication, or round of worlds, where anything is drawn.
  bool is_sure = false;
};

/// A strategy over all points that are done.
struct StrategyTally {
  std::size_t points = 0;      // that have it
  std::size_t never_runs = 0;  // where it is never the answer, since a class never runs
  std::size_t qualifies = 0;   // where it meets the goals and gets the same work done
  std::size_t wins = 0;
  std::size_t sure = 0;  // of these, where chance cannot have decided
  std::size_t next = 0;  // where it is the runner-up
  std::size_t ties = 0;  // where the best of all wins, and this one qualifies and costs exactly the same
};

struct SweepWinners {
  std::vector<PointWinner> points;       // by StoredSweep::points
  std::vector<StrategyTally> tallies;    // by strategy
  std::size_t none = 0;                  // points at which no strategy qualifies
  std::size_t sure = 0;                  // points at which the winner is sure
  std::optional<std::size_t> best;       // wins at most points; without any win, it meets the goal best
  std::optional<std::size_t> runner_up;  // who could take its place: the next in wins, in being next, in cost
};

/// Who wins where. A strategy without a cost at a point does not take part in it.
[[nodiscard]] SweepWinners find_winners(const StoredSweep& sweep);

/// Over the points that have it: lowest, median and highest of a mean; none if no point has it. The median of
/// an even number is the lower of the two in the middle, so that each is a value that occurred.
struct MeanRange {
  StoredMean lowest;
  StoredMean median;
  StoredMean highest;
};
[[nodiscard]] std::optional<MeanRange> range_of(const StoredSweep& sweep, std::size_t strategy,
                                                Measure measure);

}  // namespace stockout
