#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/sweep/axis_groups.h"
#include "models/sweep/decided.h"
#include "models/sweep/flips.h"
#include "models/sweep/sensitivity.h"
#include "models/sweep/winners.h"

namespace stockout {

/// Effect of an axis on the answer.
struct AxisImpact {
  std::size_t axis = 0;  // of the sweep
  AxisFlips flips;
  std::optional<AxisEffect> wins;       // of the share of points at which the best strategy wins, 0 to 1
  std::optional<AxisEffect> cost_more;  // of what the runner-up costs more than the best, USD

  /// How much of the answer it decides, 0 to 1: the share of lines along which the winner changes; where
  /// there are no lines, how far the share of points at which the best wins moves along the axis.
  [[nodiscard]] double share() const;
};

/// Everything a report says of who wins where, and why.
struct SweepFindings {
  SweepWinners winners;
  std::vector<AxisDecision> decisions;
  GroupedSweep grouped;
  std::vector<AxisImpact>
      impacts;  // of the axes with two values or more: those that flip most first, then those
                // that move the cost difference most, then in the order of the sweep
};

[[nodiscard]] SweepFindings find_out(const StoredSweep& sweep);

}  // namespace stockout
