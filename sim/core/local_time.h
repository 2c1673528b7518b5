#pragma once

#include <span>

#include "sim/core/time.h"

namespace stockout {

/// From `at` on, local time is UTC plus `offset`.
struct OffsetStep {
  SimTime at{};
  SimDuration offset{};
};

/// When a local clock that showed 0 at kStart shows `clock`. Of two times (clocks set back) the first; for a
/// reading that does not exist (clocks set forward) the instant of the change. `offsets`: sorted; empty: the
/// clock is never changed.
[[nodiscard]] SimTime when_clock_shows(SimDuration clock, std::span<const OffsetStep> offsets);

}  // namespace stockout
