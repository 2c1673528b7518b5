#pragma once

#include <functional>

#include "models/orchestrators/orchestrator.h"
#include "models/world/world.h"

namespace stockout {

/// Makes the orchestrators of one run of `strategy`, the one under test. Both outlive them.
using Roster = std::function<Orchestrators(const World& world, const Strategy& strategy)>;

/// Those that the world asks for.
[[nodiscard]] Orchestrators roster(const World& world, const Strategy& strategy);

}  // namespace stockout
