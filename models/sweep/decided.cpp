#include "models/sweep/decided.h"

#include <algorithm>
#include <map>
#include <optional>

namespace stockout {
namespace {

double cost_of_winner(const StoredSweep& sweep, const SweepWinners& winners, std::size_t point) {
  return (*sweep.points[point].results[*winners.points[point].winner])[Measure::cost]->mean;
}

// By the values of what is given, the place of the point that costs least; none: nobody qualifies at any.
using BestOfLine = std::map<std::vector<std::uint32_t>, std::optional<std::size_t>>;

BestOfLine best_of_lines(const StoredSweep& sweep, const SweepWinners& winners) {
  BestOfLine lines;
  for (std::size_t point = 0; point < sweep.points.size(); ++point) {
    std::vector<std::uint32_t> given;
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
      if (!sweep.axes[axis].is_decision) given.push_back(sweep.points[point].at[axis]);
    std::optional<std::size_t>& best = lines[given];
    if (!winners.points[point].winner) continue;
    if (!best || cost_of_winner(sweep, winners, point) < cost_of_winner(sweep, winners, *best)) best = point;
  }
  return lines;
}

}  // namespace

std::vector<AxisDecision> find_decisions(const StoredSweep& sweep, const SweepWinners& winners) {
  std::vector<AxisDecision> found;
  const BestOfLine lines = best_of_lines(sweep, winners);
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
    if (!sweep.axes[axis].is_decision) continue;
    AxisDecision& decision =
        found.emplace_back(AxisDecision{.axis = axis, .lines = lines.size(), .values = {}});
    std::map<std::uint32_t, DecidedValue> by_value;
    for (const auto& [given, best] : lines) {
      if (!best) {
        ++decision.none;
        continue;
      }
      DecidedValue& value = by_value[sweep.points[*best].at[axis]];
      value.value = sweep.points[*best].at[axis];
      ++value.lines;
      value.cost += cost_of_winner(sweep, winners, *best);
    }
    for (auto& [place, value] : by_value) {
      value.cost /= static_cast<double>(value.lines);
      decision.values.push_back(value);
    }
    std::ranges::stable_sort(decision.values, std::ranges::greater{}, &DecidedValue::lines);
  }
  return found;
}

}  // namespace stockout
