#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

/// Warm-up, window and drain limit fit into the longest run, the grid into the window.
void check_times(const Draft& draft);

/// No count that a run keeps can overflow, and no run goes on for ever: the jobs that come, how often they
/// may ask for machines, and the GPU-time of jobs and of held capacity are bounded. Sets Scenario::most_jobs.
void check_sizes(Draft& draft);

}  // namespace stockout
