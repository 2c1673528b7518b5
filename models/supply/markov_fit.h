#pragma once

#include "models/supply/markov_profile.h"
#include "models/supply/tick_series.h"

namespace stockout {

/// A chain fitted to a series, and which values belong to which level.
struct FittedChain {
  MarkovProfile profile;
  std::vector<std::int32_t> tops;     // the greatest value of each level; the last is the cap
  std::vector<std::uint64_t> visits;  // values at each level
  std::uint64_t transitions = 0;      // pairs of values one tick apart
  double hour_ratio = 0;              // 2 x gain in log-likelihood by the hour of the day; 0: not tried

  [[nodiscard]] std::size_t level_of(std::int32_t value) const;
};

/// A fit that has its levels and nothing else: 0 and the cap have one each, the values between share the rest
/// so that each has about as many values of the series; a level stands for the rounded mean of what it was
/// seen to be. `levels`: at most so many, from 3 (a cap of 1 has two) to kMostLevels.
[[nodiscard]] FittedChain with_levels(const TickSeries& series, std::size_t levels);

/// Twice the gain in log-likelihood from which on the hour of the day is kept: the 95 % point of chi-squared
/// with the two parameters of a daily wave.
inline constexpr double kHourThreshold = 5.991;

/// Fits a chain of the levels of with_levels().
///
/// Transitions: p(i, j) = (n(i, j) + q(i, j)) / (n(i) + 1). The prior q, which weighs as much as one
/// transition, stays at i with the share of all pairs that stayed, and else goes to j in proportion to how
/// often the series came to j from another level, plus 1/2. So no move between levels is impossible, and one
/// that was never seen is rare.
///
/// Hours: upward[h] = a cos(w) + b sin(w), w = 2 pi (h + 1/2) / 24, with a and b of greatest likelihood given
/// the transitions above; kept if the series has dates and at least three days and passes kHourThreshold.
[[nodiscard]] FittedChain fit_chain(const TickSeries& series, std::size_t levels);

}  // namespace stockout
