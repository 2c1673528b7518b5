#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

/// The scenario's strategies. Throws InputError.
void build_strategies(Draft& draft);

}  // namespace stockout
