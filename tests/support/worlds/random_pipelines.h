#pragma once

#include <cstdint>

#include "models/world/world.h"

namespace stockout::test {

/// Whether the jobs of the random world of this seed are steps of pipelines.
[[nodiscard]] bool has_pipelines(std::uint64_t seed);

/// Lets the jobs of the world's recorded sources begin pipelines, and adds sources of further steps. With
/// random numbers of its own: the seed means otherwise what it meant. `unit`: times are multiples of it.
void add_pipelines(World& world, SimDuration unit);

}  // namespace stockout::test
