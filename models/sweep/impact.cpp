#include "models/sweep/impact.h"

#include <algorithm>

namespace stockout {
namespace {

std::optional<AxisEffect> effect_of(const std::vector<AxisEffect>& effects, std::size_t axis) {
  const auto found = std::ranges::find(effects, axis, &AxisEffect::axis);
  return found == effects.end() ? std::nullopt : std::optional{*found};
}

std::vector<AxisEffect> effects_on_wins(const GroupedSweep& grouped, const SweepWinners& winners) {
  return effects_on(grouped, [&](std::size_t point) {
    const bool wins = winners.points[point].winner == winners.best;
    return std::optional{StoredMean{.mean = wins ? 1.0 : 0.0, .half_width = {}}};
  });
}

double cost_range(const AxisImpact& impact) { return impact.cost_more ? impact.cost_more->range() : 0; }

}  // namespace

double AxisImpact::share() const {
  if (flips.lines > 0) return flips.share();
  return wins ? wins->range() : 0;
}

SweepFindings find_out(const StoredSweep& sweep) {
  SweepFindings found{
      .winners = find_winners(sweep), .decisions = {}, .grouped = group_points(sweep), .impacts = {}};
  const SweepWinners& winners = found.winners;
  found.decisions = find_decisions(sweep, winners);
  if (!winners.best) return found;
  const auto flips = find_flips(sweep, winners);
  const auto wins = effects_on_wins(found.grouped, winners);
  std::vector<AxisEffect> cost_more;
  if (winners.runner_up) {
    cost_more =
        effects_on(found.grouped, difference_of(sweep, *winners.runner_up, *winners.best, Measure::cost));
  }
  for (const GroupedAxis& grouped : found.grouped.axes) {
    found.impacts.push_back({.axis = grouped.axis,
                             .flips = flips[grouped.axis],
                             .wins = effect_of(wins, grouped.axis),
                             .cost_more = effect_of(cost_more, grouped.axis)});
  }
  std::ranges::stable_sort(found.impacts, [](const AxisImpact& a, const AxisImpact& b) {
    return a.share() != b.share() ? a.share() > b.share() : cost_range(a) > cost_range(b);
  });
  return found;
}

}  // namespace stockout
