#pragma once

#include "models/simulation/ground/outcome.h"
#include "models/simulation/ground/run_state.h"
#include "models/simulation/ground/tables.h"

namespace stockout {

// Further attempts of a job in the leg that it is in, each kind within a bound of its own. False: none is
// left. Else it has one less.

/// No place of the leg had room.
[[nodiscard]] bool spend_retry(Tables& tables, JobState& job);

/// Its lease has ended before its work was done: `why` is preempted, broke, exited or failed.
[[nodiscard]] bool spend_restart(Tables& tables, JobState& job, Outcome::Kind why);

}  // namespace stockout
