#pragma once

#include "models/world/world.h"

namespace stockout::test {

/// Gives some worlds quotas, with random numbers of its own: what the seed means otherwise does not change by
/// it. `unit`: times are multiples of it.
void add_quotas(World& world, SimDuration unit);

}  // namespace stockout::test
