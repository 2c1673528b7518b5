#pragma once

#include <optional>

#include "models/measures/wait_goal.h"
#include "models/record/run_record.h"
#include "models/world/world.h"
#include "sim/core/ids.h"

namespace stockout {

/// Whether the goal is about jobs of that class; without a goal, about all.
[[nodiscard]] inline bool is_about(const std::optional<WaitGoal>& goal, ClassId job_class) {
  return !goal || !goal->job_class || *goal->job_class == job_class;
}

/// From release to first grant; kForever of a job that never started.
[[nodiscard]] inline SimDuration wait_of(const JobOutcome& outcome) {
  return outcome.first_grant == kNever ? kForever : outcome.first_grant - outcome.released;
}

/// Whether a job that is still open when a run ends may yet be completed, so that for a goal its start alone
/// counts: the run ends by the clock.
[[nodiscard]] inline bool open_may_complete(const World& world) { return world.end == RunEnd::time; }

/// Whether a job that started in time meets a goal: it is completed, or may be.
[[nodiscard]] inline bool counts_as_completed(FinalState state, bool open_may_complete) {
  return state == FinalState::completed || (state == FinalState::unfinished && open_may_complete);
}

}  // namespace stockout
