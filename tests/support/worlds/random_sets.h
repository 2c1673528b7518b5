#pragma once

#include "models/world/world.h"

namespace stockout::test {

/// Adds sources whose jobs form sets with those of some recorded ones, if the world is one of those that
/// have sets and its last strategy may serve them. With random numbers of its own: the seed means otherwise
/// what it meant. `unit`: times are multiples of it.
void add_sets(World& world, SimDuration unit);

}  // namespace stockout::test
