#pragma once

#include "models/supply/markov_fit.h"

namespace stockout {

/// A number seen in the series, and what series of the same length, drawn from the chain, show: their mean,
/// and the range of 95 in 100 of them. What was seen outside of the range is what the chain does not explain.
struct CheckedNumber {
  double seen = 0;
  bool is_seen = false;  // false: nothing ended, or no wait is known
  double mean = 0;
  double low = 0;
  double high = 0;

  [[nodiscard]] bool is_explained() const { return is_seen && seen >= low && seen <= high; }
};

/// Spells and waits of `wanted` machines.
struct SpellCheck {
  std::int32_t wanted = 0;
  std::uint64_t ended = 0;  // spells seen to end
  CheckedNumber share = {};
  CheckedNumber spell_h = {};  // mean length; `mean` is that of all drawn spells together
  CheckedNumber wait_h = {};   // mean, at most kLongestWait, from a moment chosen at random
};

struct FitCheck {
  std::vector<CheckedNumber> level_shares;
  std::vector<SpellCheck> spells;  // of 1 machine; of `cap`, if that is more
};

inline constexpr std::uint64_t kCheckSeries = 400;

/// Holds a fit to the series it was made from. Draws kCheckSeries series; the same every time.
[[nodiscard]] FitCheck check_fit(const FittedChain& fit, const TickSeries& series);

/// A series of `count` values as the chain makes them, the first at `first_ms`; the same for the same seed
/// and number.
[[nodiscard]] TickSeries draw_series(const MarkovProfile& profile, std::int64_t first_ms, std::size_t count,
                                     std::uint64_t seed, std::uint64_t number);

}  // namespace stockout
