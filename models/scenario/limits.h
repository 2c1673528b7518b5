#pragma once

#include "models/scenario/draft.h"

namespace stockout {

inline constexpr int kMostReplications = 10'000;

/// Warm-up, window and drain limit fit into the longest run.
void check_times(const Draft& draft);

/// No count that a run keeps can overflow, and no run goes on for ever: the jobs that come and their GPU-time
/// are bounded.
void check_sizes(const Draft& draft);

}  // namespace stockout
