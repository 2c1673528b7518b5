#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/sweep/stored_sweep.h"
#include "models/sweep/winners.h"

namespace stockout {

/// A value of a decision that is the best one somewhere.
struct DecidedValue {
  std::uint32_t value = 0;  // of the axis
  std::size_t lines = 0;    // combinations of all that is no decision, at which it is
  double cost = 0;          // of the strategy to be bought with it, USD, mean over these
};

/// An axis that is a decision, and what to decide.
struct AxisDecision {
  std::size_t axis = 0;
  std::size_t lines = 0;             // combinations of all that is no decision
  std::size_t none = 0;              // of these, those at which no strategy qualifies with any value
  std::vector<DecidedValue> values;  // most lines first, then in the order of the axis
};

/// The points that are left when every decision is taken as well as it can be: of each combination of what is
/// given the one whose strategy to be bought costs least, or the first where none qualifies at any. Without
/// decisions all points.
[[nodiscard]] std::vector<std::size_t> decided_points(const StoredSweep& sweep, const SweepWinners& winners);

/// For each axis that is a decision: with which value, all decisions taken together, the strategy to be
/// bought costs least, in each combination of what is given.
[[nodiscard]] std::vector<AxisDecision> find_decisions(const StoredSweep& sweep, const SweepWinners& winners);

}  // namespace stockout
