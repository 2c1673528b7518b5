#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

/// Slurm in the planner's cluster, after reservations. Throws InputError.
void build_slurm(Draft& draft);

}  // namespace stockout
