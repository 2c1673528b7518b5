#pragma once

#include "models/world/world.h"

namespace stockout::test {

/// Puts Kueue before the strategy under test in some worlds where that may be: few GPUs, so that jobs wait
/// and evict one another. With random numbers of its own.
void add_kueue(World& world, SimDuration unit);

}  // namespace stockout::test
