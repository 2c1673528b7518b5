#pragma once

#include "models/consumption/strategy.h"
#include "sim/core/time.h"

namespace stockout {

/// Upper bound on how often one job asks for machines under a strategy in a run that goes on for `span` after
/// it came, however bad its luck; a preemption by load is not counted, as another job's lease goes with it.
/// `max_wait` is the job's own: it ends the retries of a job that is not submitted again.
[[nodiscard]] double most_tries(const Strategy& strategy, SimDuration span, SimDuration max_wait);

}  // namespace stockout
