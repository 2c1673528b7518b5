#include "models/experiment/cost_difference.h"

#include <algorithm>

namespace stockout {
namespace {

Estimate paired(const Comparison& comparison, std::size_t other, std::size_t than) {
  const std::vector<double>& a = comparison.strategies[other].costs;
  const std::vector<double>& b = comparison.strategies[than].costs;
  const std::size_t replications = std::max(a.size(), b.size());
  const std::vector<double> of_a = by_replication(a, replications);
  const std::vector<double> of_b = by_replication(b, replications);
  const auto& controls = comparison.controls;
  if (controls && controls->adjust() && controls->surplus.size() == replications)
    return adjusted_difference(of_a, of_b, controls->surplus);
  return estimate_difference(of_a, of_b);
}

}  // namespace

std::vector<double> by_replication(const std::vector<double>& values, std::size_t replications) {
  return values.size() == 1 ? std::vector<double>(replications, values.front()) : values;
}

CostDifference cost_difference(const Comparison& comparison, std::size_t other, std::size_t than) {
  const bool drew = comparison.strategies[other].drew || comparison.strategies[than].drew;
  CostDifference difference{.more = paired(comparison, other, than)};
  const Estimate& more = difference.more;
  const bool the_same = more.mean == 0 && more.half_width.value_or(0) == 0;
  const bool no_interval = drew && !more.half_width;
  const bool includes_nothing = more.low() <= 0 && more.high() >= 0;
  difference.may_be_chance = other != than && (no_interval || (includes_nothing && !the_same));
  return difference;
}

}  // namespace stockout
