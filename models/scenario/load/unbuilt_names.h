#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

// Where something is wrong that reservations or strategies build on, they are not built. Their names are
// looked up nevertheless: what is wrong with those does not follow from anything. Each throws InputError for
// all that do not exist, or exist twice.

/// Machines, places and names of reservations.
void check_reservation_names(const Draft& draft);

/// Names of strategies; and of their legs the models under their orchestrators, places, machines, GPU types
/// and reservations.
void check_strategy_names(const Draft& draft);

}  // namespace stockout
