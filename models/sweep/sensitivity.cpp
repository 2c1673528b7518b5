#include "models/sweep/sensitivity.h"

#include <algorithm>

namespace stockout {
namespace {

std::optional<GroupMean> mean_of(const AxisGroup& group, std::size_t place, const PointValue& value) {
  GroupMean found{.group = place};
  for (const std::size_t point : group.points) {
    const auto of_point = value(point);
    if (!of_point) continue;
    ++found.points;
    found.mean += (of_point->mean - found.mean) / static_cast<double>(found.points);
    found.at_least = found.at_least || of_point->at_least;
  }
  return found.points == 0 ? std::nullopt : std::optional{found};
}

}  // namespace

std::vector<AxisEffect> effects_on(const GroupedSweep& grouped, const PointValue& value) {
  std::vector<AxisEffect> effects;
  for (const GroupedAxis& axis : grouped.axes) {
    AxisEffect effect{.axis = axis.axis, .means = {}};
    for (std::size_t i = 0; i < axis.groups.size(); ++i) {
      if (const auto mean = mean_of(axis.groups[i], i, value)) effect.means.push_back(*mean);
    }
    if (effect.means.size() < 2) continue;
    const auto place = [&](auto found) { return static_cast<std::size_t>(found - effect.means.begin()); };
    effect.lowest = place(std::ranges::min_element(effect.means, {}, &GroupMean::mean));
    effect.highest = place(std::ranges::max_element(effect.means, {}, &GroupMean::mean));
    effects.push_back(std::move(effect));
  }
  std::ranges::stable_sort(effects, std::ranges::greater{}, &AxisEffect::range);
  return effects;
}

PointValue value_of(const StoredSweep& sweep, std::size_t strategy, Measure measure) {
  return [&sweep, strategy, measure](std::size_t point) -> std::optional<StoredMean> {
    const auto& result = sweep.points[point].results[strategy];
    return result ? (*result)[measure] : std::nullopt;
  };
}

PointValue difference_of(const StoredSweep& sweep, std::size_t strategy, std::size_t less, Measure measure) {
  return [one = value_of(sweep, strategy, measure),
          other = value_of(sweep, less, measure)](std::size_t point) -> std::optional<StoredMean> {
    const auto left = one(point);
    const auto right = other(point);
    if (!left || !right) return std::nullopt;
    return StoredMean{.mean = left->mean - right->mean, .half_width = {}, .at_least = false};
  };
}

}  // namespace stockout
