#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "models/sweep/axis_groups.h"
#include "models/sweep/stored_sweep.h"

namespace stockout {

/// The mean of something over the points of a group that have it.
struct GroupMean {
  std::size_t group = 0;  // of GroupedAxis::groups
  double mean = 0;
  std::size_t points = 0;
  bool at_least = false;  // at some point it is longer than what was measured
};

/// How far something moves with one axis.
struct AxisEffect {
  std::size_t axis = 0;          // of the sweep
  std::vector<GroupMean> means;  // in the order of the axis; groups of which no point has it are left out
  std::size_t lowest = 0;        // of `means`; the first of several
  std::size_t highest = 0;

  [[nodiscard]] double range() const { return means[highest].mean - means[lowest].mean; }
};

/// The value in question of a point; none: it has none.
using PointValue = std::function<std::optional<StoredMean>(std::size_t point)>;

/// By axis, the widest range first, then in the order of the sweep. An axis of which fewer than two groups
/// have a value is left out. README.md of this folder says what the ranges mean, and what not.
[[nodiscard]] std::vector<AxisEffect> effects_on(const GroupedSweep& grouped, const PointValue& value);

/// A measure of a strategy, one of kReadMeasures.
[[nodiscard]] PointValue value_of(const StoredSweep& sweep, std::size_t strategy, Measure measure);

/// A measure of one strategy less that of another, where both have it.
[[nodiscard]] PointValue difference_of(const StoredSweep& sweep, std::size_t strategy, std::size_t less,
                                       Measure measure);

}  // namespace stockout
