#include "models/supply/state_filter.h"

#include <numeric>

namespace stockout {
namespace {

// What a state never shows leaves no share; then the value says nothing.
void learn(const MarkovChain& chain, std::size_t level, std::vector<double>& shares) {
  std::vector<double> learnt(shares.size());
  for (std::size_t state = 0; state < shares.size(); ++state)
    learnt[state] = shares[state] * chain.shows(state, level);
  const double sum = std::accumulate(learnt.begin(), learnt.end(), 0.0);
  if (sum <= 0) return;
  for (std::size_t state = 0; state < shares.size(); ++state) shares[state] = learnt[state] / sum;
}

}  // namespace

std::vector<std::vector<double>> state_shares(const MarkovChain& chain, const FittedChain& fit,
                                              const TickSeries& series) {
  std::vector<std::vector<double>> known;
  std::vector<double> shares = chain.long_run();
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::size_t level = fit.level_of(series.values[i]);
    if (fit.profile.is_hidden()) {
      const std::size_t ticks = i == 0 ? 0 : series.missing_before(i) + 1;
      for (std::size_t k = 0; k < ticks; ++k) shares = chain.step(shares, 0);
      learn(chain, level, shares);
    } else {
      shares.assign(chain.states(), 0.0);
      shares[level] = 1;
    }
    known.push_back(shares);
  }
  return known;
}

}  // namespace stockout
