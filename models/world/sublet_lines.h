#pragma once

#include <vector>

#include "models/world/world.h"
#include "sim/core/ids.h"

namespace stockout {

/// The price lines under which jobs' use of held capacity is booked: that of the pool, and another one where
/// Vertex AI runs jobs there and takes its management fee on top.
[[nodiscard]] std::vector<PriceLineId> sublet_lines(const World& world, const HeldPool& held);

}  // namespace stockout
