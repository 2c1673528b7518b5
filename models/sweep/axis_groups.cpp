#include "models/sweep/axis_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace stockout {
namespace {

// By axis how many points have each value.
std::vector<std::vector<std::size_t>> value_counts(const StoredSweep& sweep) {
  std::vector<std::vector<std::size_t>> counts;
  for (const SweepAxis& axis : sweep.axes) counts.emplace_back(axis.values.size());
  for (const StoredPoint& point : sweep.points) {
    for (std::size_t axis = 0; axis < counts.size(); ++axis) ++counts[axis][point.at[axis]];
  }
  return counts;
}

std::size_t values_used(const std::vector<std::size_t>& counts) {
  return counts.size() - static_cast<std::size_t>(std::ranges::count(counts, std::size_t{0}));
}

bool is_every_combination(const StoredSweep& sweep, const std::vector<std::vector<std::size_t>>& counts) {
  double combinations = 1;
  for (const auto& of_axis : counts) combinations *= static_cast<double>(values_used(of_axis));
  if (combinations != static_cast<double>(sweep.points.size())) return false;
  std::set<std::vector<std::uint32_t>> met;
  for (const StoredPoint& point : sweep.points) met.insert(point.at);
  return met.size() == sweep.points.size();
}

std::size_t axes_apart(const StoredPoint& a, const StoredPoint& b) {
  std::size_t apart = 0;
  for (std::size_t axis = 0; axis < a.at.size(); ++axis) apart += a.at[axis] != b.at[axis] ? 1U : 0U;
  return apart;
}

// The point that has the commonest value of every axis, if no point differs from it in more than one.
std::optional<std::size_t> find_base(const StoredSweep& sweep,
                                     const std::vector<std::vector<std::size_t>>& counts) {
  StoredPoint middle;
  for (const auto& of_axis : counts)
    middle.at.push_back(static_cast<std::uint32_t>(std::ranges::max_element(of_axis) - of_axis.begin()));
  std::optional<std::size_t> base;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const std::size_t apart = axes_apart(sweep.points[i], middle);
    if (apart > 1) return std::nullopt;
    if (apart == 0 && !base) base = i;
  }
  return base;
}

bool counts_for(const StoredSweep& sweep, const GroupedSweep& grouped, std::size_t point, std::size_t axis) {
  if (!grouped.base || point == *grouped.base) return true;
  return sweep.points[point].at[axis] != sweep.points[*grouped.base].at[axis];
}

std::vector<AxisGroup> by_value(const StoredSweep& sweep, const GroupedSweep& grouped, std::size_t axis) {
  const SweepAxis& of = sweep.axes[axis];
  std::vector<AxisGroup> groups;
  for (const AxisValue& value : of.values)
    groups.push_back({.label = value.text, .low = value.number, .high = value.number, .points = {}});
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    if (counts_for(sweep, grouped, i, axis)) groups[sweep.points[i].at[axis]].points.push_back(i);
  }
  std::erase_if(groups, [](const AxisGroup& group) { return group.points.empty(); });
  return groups;
}

std::string span_text(double low, double high) {
  return low == high ? fmt::format("{:.3g}", low) : fmt::format("{:.3g} to {:.3g}", low, high);
}

// Points of one value stay together.
std::vector<AxisGroup> by_part(const StoredSweep& sweep, std::size_t axis) {
  std::vector<std::size_t> order(sweep.points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sweep.points[i].at[axis]; });
  std::vector<AxisGroup> groups;
  std::size_t begun_in = kRangeParts;  // the part that the last group began in
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t part = i * kRangeParts / order.size();
    const auto value = [&](std::size_t place) { return sweep.points[order[place]].at[axis]; };
    if (part != begun_in && (i == 0 || value(i) != value(i - 1))) {
      groups.emplace_back();
      begun_in = part;
    }
    groups.back().points.push_back(order[i]);
  }
  for (AxisGroup& group : groups) {
    const auto value_of = [&](std::size_t point) {
      return sweep.axes[axis].values[sweep.points[point].at[axis]].number;
    };
    group.low = value_of(group.points.front());
    group.high = value_of(group.points.back());
    group.label = span_text(*group.low, *group.high);
  }
  return groups;
}

}  // namespace

GroupedSweep group_points(const StoredSweep& sweep) {
  GroupedSweep grouped;
  if (sweep.points.empty()) return grouped;
  const auto counts = value_counts(sweep);
  if (is_every_combination(sweep, counts)) {
    grouped.rule = SensitivityRule::every_combination;
  } else {
    grouped.base = find_base(sweep, counts);
    if (grouped.base) grouped.rule = SensitivityRule::one_at_a_time;
  }
  for (std::size_t axis = 0; axis < counts.size(); ++axis) {
    const std::size_t values = values_used(counts[axis]);
    if (values < 2) continue;
    const bool is_cut = values > kMostAxisGroups && sweep.axes[axis].is_number() && !grouped.base;
    grouped.axes.push_back({.axis = axis,
                            .is_cut = is_cut,
                            .groups = is_cut ? by_part(sweep, axis) : by_value(sweep, grouped, axis)});
  }
  return grouped;
}

std::optional<double> correlation(const StoredSweep& sweep, std::size_t a, std::size_t b) {
  if (!sweep.axes[a].is_number() || !sweep.axes[b].is_number()) return std::nullopt;
  const auto count = static_cast<double>(sweep.points.size());
  double mean_a = 0;
  double mean_b = 0;
  for (const StoredPoint& point : sweep.points) {
    mean_a += point.at[a] / count;
    mean_b += point.at[b] / count;
  }
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (const StoredPoint& point : sweep.points) {
    const double of_a = point.at[a] - mean_a;
    const double of_b = point.at[b] - mean_b;
    ab += of_a * of_b;
    aa += of_a * of_a;
    bb += of_b * of_b;
  }
  if (aa == 0 || bb == 0) return std::nullopt;
  return ab / std::sqrt(aa * bb);
}

}  // namespace stockout
