#pragma once

#include <cstddef>

#include "models/world/world.h"
#include "sim/core/error.h"
#include "sim/core/time.h"

namespace stockout {

inline constexpr std::size_t kPilotRuns = 5;

/// How long the tenants of a world take to their steady state, by MSER-5. `world` has tenants, and begins
/// with the longest warm-up that may be found. A pilot of tenants alone starts with empty pools and lasts
/// twice as long; five observations a day of each pool's tenants, in GPUs that they hold or wait for, are
/// averaged over kPilotRuns runs of their own random numbers. The result is the longest of any pool, in whole
/// days and at least one. The planner's jobs have no part in it: they come with the window, all of them are
/// measured, and none is ever cut. Throws InputError at `asked_for`, where the user leaves the warm-up to the
/// rule, if the tenants of a pool do not settle in the first half of the pilot, or if it would have too many
/// jobs.
[[nodiscard]] SimDuration find_warm_up(const World& world, const SourceRef& asked_for);

}  // namespace stockout
