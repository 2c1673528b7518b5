#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

/// Held pools. Throws InputError.
void build_reservations(Draft& draft);

}  // namespace stockout
