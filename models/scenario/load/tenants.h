#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

/// One background source for each pool with tenants. Last, so that adding tenants renumbers no source, class
/// or shape of recorded jobs. Throws InputError.
void build_tenants(Draft& draft);

}  // namespace stockout
