#pragma once

#include "models/world/world.h"

namespace stockout::test {

/// Puts Slurm before the strategy under test in some worlds where that may be: few nodes, so that jobs wait
/// and preempt one another. With random numbers of its own.
void add_slurm(World& world, SimDuration unit);

}  // namespace stockout::test
