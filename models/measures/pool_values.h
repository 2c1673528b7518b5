#pragma once

#include "models/measures/measure_table.h"
#include "models/record/run_record.h"
#include "models/world/world.h"

namespace stockout {

/// Fills in a pool's own books: everybody's use of it.
void fill_pool(Values& row, const World& world, PoolId id, const PoolTotals& pool);

}  // namespace stockout
