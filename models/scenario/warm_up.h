#pragma once

#include "models/scenario/draft.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// How long tenants run before the window: as given, or, where a rule is to find it, the longest that it may
/// find, until find_warm_up() has found it.
[[nodiscard]] SimDuration read_warm_up(const Draft& draft, const ScenarioOptions& options);

/// Whether the scenario leaves the warm-up to a rule that has yet to be asked.
[[nodiscard]] bool needs_pilot(const Node& root, const ScenarioOptions& options);

/// How long the tenants of a world take to their steady state, by MSER-5. A pilot of tenants alone starts
/// with empty pools and lasts twice the longest warm-up; five observations a day of each pool's tenants, in
/// GPUs that they hold or wait for, are averaged over kPilotRuns runs of their own random numbers. The result
/// is the longest of any pool, in whole days and at least one. The planner's jobs have no part in it: they
/// come with the window, all of them are measured, and none is ever cut. Throws InputError at the scenario's
/// `warm_up` if there are no tenants, or if those of a pool do not settle in the first half of the pilot.
[[nodiscard]] SimDuration find_warm_up(const Draft& draft);

inline constexpr std::size_t kPilotRuns = 5;

}  // namespace stockout
