#pragma once

#include "sim/core/time.h"

namespace stockout {

/// What prices and usage are counted by: whole hours since kStart.
inline constexpr SimDuration kHour = std::chrono::hours{1};

}  // namespace stockout
