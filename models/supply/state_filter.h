#pragma once

#include <vector>

#include "models/supply/markov_fit.h"
#include "models/supply/tick_series.h"

namespace stockout {

/// Shares of the chain's states at each value, given all values up to it: of a hidden chain by Bayes' rule,
/// begun from the long run; else the state is the level.
[[nodiscard]] std::vector<std::vector<double>> state_shares(const MarkovChain& chain, const FittedChain& fit,
                                                            const TickSeries& series);

}  // namespace stockout
