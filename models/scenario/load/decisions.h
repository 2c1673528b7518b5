#pragma once

#include "models/scenario/draft/draft.h"
#include "models/scenario/format/decision.h"

namespace stockout {

/// Puts what a scenario says of a recommendation into the draft: `decide`, `goals`, `indifference_usd`,
/// `undone_usd_per_gpu_h` and `most_obligation`. Its classes are known. Throws InputError for ranges of no
/// number, names that come twice, and places that two decisions change. Whether a pointer leads anywhere
/// shows when it is used.
void read_decision_terms(Draft& draft);

}  // namespace stockout
