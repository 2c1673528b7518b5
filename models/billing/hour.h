#pragma once

#include "sim/core/time.h"

namespace stockout {

/// Unit of prices and usage: whole hours since kStart.
inline constexpr SimDuration kHour = std::chrono::hours{1};

/// Whether an hour from kStart begins at or after a time: the hour in which it lies is not after it.
[[nodiscard]] constexpr bool is_after(std::int64_t hour, SimTime at) { return kStart + hour * kHour >= at; }

}  // namespace stockout
