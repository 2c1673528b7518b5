#pragma once

#include "models/world/world.h"

namespace stockout::test {

/// Adds what the jobs of a world with Kueue may be reduced to: each shape of equal nodes with every smaller
/// number of them (KueueCluster::reduced), and places for it in the legs of all strategies, in proportion.
void add_reduced_shapes(World& world);

}  // namespace stockout::test
