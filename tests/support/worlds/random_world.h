#pragma once

#include <cstdint>

#include "models/world/world.h"

namespace stockout::test {

/// A small world made of everything the simulation knows, at random: at most 8 recorded jobs, a few tenants,
/// at most 4 pools. Times are small multiples of one unit, so that much happens in one instant. Valid in the
/// sense in which a read scenario is. The last strategy is the one to run. The same seed always gives the
/// same world.
[[nodiscard]] World random_world(std::uint64_t seed);

}  // namespace stockout::test
