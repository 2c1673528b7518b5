#pragma once

#include "models/measures/grouping.h"
#include "models/measures/measures.h"

namespace stockout {

/// Fills in what Kueue's cluster queues gave: in the total, and in the rows if they are queues or
/// cohorts (`places`). Nothing if the strategy is not under Kueue. Quotas are added if the
/// strategy's machines are all of one GPU type.
void fill_kueue(Measures& measures, const RunRecord& record, const Strategy& strategy,
                const GroupRows& places);

}  // namespace stockout
