#include "models/sweep/decided.h"

#include <algorithm>
#include <map>

namespace stockout {
namespace {

double cost_of_winner(const StoredSweep& sweep, const SweepWinners& winners, std::size_t point) {
  return (*sweep.points[point].results[*winners.points[point].winner])[Measure::cost]->mean;
}

bool is_better(const StoredSweep& sweep, const SweepWinners& winners, std::size_t point, std::size_t than) {
  if (!winners.points[point].winner || !winners.points[than].winner)
    return winners.points[point].winner.has_value() && !winners.points[than].winner;
  return cost_of_winner(sweep, winners, point) < cost_of_winner(sweep, winners, than);
}

}  // namespace

std::vector<std::size_t> decided_points(const StoredSweep& sweep, const SweepWinners& winners) {
  std::map<std::vector<std::uint32_t>, std::size_t> best;  // by the values of what is given
  for (std::size_t point = 0; point < sweep.points.size(); ++point) {
    std::vector<std::uint32_t> given;
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
      if (!sweep.axes[axis].is_decision) given.push_back(sweep.points[point].at[axis]);
    const auto [found, is_first] = best.try_emplace(std::move(given), point);
    if (!is_first && is_better(sweep, winners, point, found->second)) found->second = point;
  }
  std::vector<std::size_t> points;
  for (const auto& [given, point] : best) points.push_back(point);
  return points;
}

std::vector<AxisDecision> find_decisions(const StoredSweep& sweep, const SweepWinners& winners) {
  std::vector<AxisDecision> found;
  const std::vector<std::size_t> points = decided_points(sweep, winners);
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
    if (!sweep.axes[axis].is_decision) continue;
    AxisDecision& decision =
        found.emplace_back(AxisDecision{.axis = axis, .lines = points.size(), .values = {}});
    std::map<std::uint32_t, DecidedValue> by_value;
    for (const std::size_t point : points) {
      if (!winners.points[point].winner) {
        ++decision.none;
        continue;
      }
      DecidedValue& value = by_value[sweep.points[point].at[axis]];
      value.value = sweep.points[point].at[axis];
      ++value.lines;
      value.cost += cost_of_winner(sweep, winners, point);
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
