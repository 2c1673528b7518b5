#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

/// Commitments that exist already, and other costs. After the strategies, whose price lines they may cover.
/// Throws InputError.
void build_bill_terms(Draft& draft);

}  // namespace stockout
