#pragma once

#include <span>

#include "models/scenario/format/spec.h"

namespace stockout {

/// A whole sweep file, and the objects in it.
[[nodiscard]] const ObjectSpec& sweep_keys();
[[nodiscard]] const ObjectSpec& vary_keys();
[[nodiscard]] const ObjectSpec& grid_keys();
[[nodiscard]] const ObjectSpec& point_list_keys();
[[nodiscard]] const ObjectSpec& parameter_keys();
[[nodiscard]] const ObjectSpec& hypercube_keys();
[[nodiscard]] const ObjectSpec& range_keys();

/// All of them, the sweep first: the order of the reference.
[[nodiscard]] std::span<const ObjectSpec* const> all_sweep_keys();

// Bounds, so that a slip of the pen is reported before it takes days or all memory.
inline constexpr double kMostPoints = 1e7;         // of a sweep
inline constexpr double kMostRowsOfAPart = 1e5;    // of a list, a grid's values, a hypercube
inline constexpr double kMostParameters = 200;     // of a part
inline constexpr double kMostValuesOfAPart = 1e6;  // rows times parameters

}  // namespace stockout
