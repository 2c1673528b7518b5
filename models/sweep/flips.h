#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/sweep/stored_sweep.h"
#include "models/sweep/winners.h"

namespace stockout {

/// Between two values of an axis that follow one another, all others staying as they are, another strategy is
/// to be bought.
struct Boundary {
  std::uint32_t from = 0;  // values of the axis
  std::uint32_t to = 0;
  std::optional<std::size_t> winner;       // at `from`; none: no strategy qualifies there
  std::optional<std::size_t> winner_then;  // at `to`
  std::size_t lines = 0;                   // combinations of the other axes at which it is so
};

/// Course of the winner along one axis. A line is the points that agree in all other axes, two or more. Along
/// an axis that is given it is the decided_points() that agree in all others that are.
struct AxisFlips {
  std::size_t axis = 0;
  std::size_t lines = 0;
  std::size_t flipped = 0;           // lines along which the winner changes at all
  std::vector<Boundary> boundaries;  // most lines first, then in the order of the axis

  /// 0: no line, or none along which it changes.
  [[nodiscard]] double share() const {
    return lines == 0 ? 0 : static_cast<double>(flipped) / static_cast<double>(lines);
  }
};

/// By axis of the sweep.
[[nodiscard]] std::vector<AxisFlips> find_flips(const StoredSweep& sweep, const SweepWinners& winners);

}  // namespace stockout
