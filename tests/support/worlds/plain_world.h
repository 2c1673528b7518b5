#pragma once

#include <cstdint>

#include "models/world/world.h"

namespace stockout::test {

/// random_world(seed), in which most strategies begin with a leg that waits without end and starts in a
/// constant time, so that many jobs are plain (models/simulation/lives/flights.h) among others that are not.
[[nodiscard]] World plain_world(std::uint64_t seed);

}  // namespace stockout::test
