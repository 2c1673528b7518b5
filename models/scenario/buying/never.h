#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

/// Warns of what can never happen: classes that a strategy could never serve, gangs larger than the places
/// they are sent to, pools that no job can reach, commitments without use. After the bill terms.
void warn_of_never(Draft& draft);

}  // namespace stockout
