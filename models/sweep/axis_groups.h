#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/sweep/stored_sweep.h"

namespace stockout {

/// How the effect of one axis is told apart from that of the others.
enum class SensitivityRule : std::uint8_t {
  every_combination,  // each combination of values is a point once: the others are the same on average
  one_at_a_time,      // every point differs from one of them, the base, in one axis at most
  means,              // anything else: the others differ too, and average out only as far as they can
};

/// Points that agree in an axis: in its value, or in the part of its range.
struct AxisGroup {
  std::string label;          // "0.5", "0.5 to 0.62"
  std::optional<double> low;  // of numbers: ends of what is in it
  std::optional<double> high;
  std::vector<std::size_t> points;  // places in StoredSweep::points
};

struct GroupedAxis {
  std::size_t axis = 0;  // of the sweep
  bool is_cut = false;   // its groups are parts of a range, not values
  std::vector<AxisGroup> groups;
};

struct GroupedSweep {
  SensitivityRule rule = SensitivityRule::means;
  std::optional<std::size_t> base;  // place of the base point
  std::vector<GroupedAxis> axes;    // those with two values or more, in the order of the sweep
};

inline constexpr std::size_t kMostAxisGroups = 12;  // an axis of numbers with more values is cut ...
inline constexpr std::size_t kRangeParts = 5;       // ... into so many parts of about equally many points

/// Groups the points that are done by each axis.
[[nodiscard]] GroupedSweep group_points(const StoredSweep& sweep);

/// How closely two axes of numbers move together over the points: Pearson's correlation of the places of
/// their values. None where one of them has a single value or no numbers.
[[nodiscard]] std::optional<double> correlation(const StoredSweep& sweep, std::size_t a, std::size_t b);

}  // namespace stockout
