#pragma once

#include <type_traits>

#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

inline constexpr double kMsPerHour = 3'600'000.0;

// What runs count in whole milliseconds, in hours: for reports and rates, never to compute on with.

[[nodiscard]] constexpr double to_hours(SimDuration length) {
  return static_cast<double>(length.count()) / kMsPerHour;
}

/// GPU-hours or machine-hours.
template <typename Tag>
[[nodiscard]] constexpr double to_hours(Quantity<Tag> milliseconds) {
  static_assert(std::is_same_v<Quantity<Tag>, GpuTime> || std::is_same_v<Quantity<Tag>, MachineTime>);
  return static_cast<double>(milliseconds.count()) / kMsPerHour;
}

}  // namespace stockout
