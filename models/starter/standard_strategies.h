#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/starter/held_part.h"
#include "models/starter/market.h"
#include "sim/io/commented_json.h"

namespace stockout {

/// The ways of buying that are compared first: on demand, Spot, Flex Start, reserved, and the usual mixtures.
/// Jobs whose GPU type a model does not sell get it by the next model that does.
[[nodiscard]] std::vector<CommentedJson> standard_strategies(const std::vector<GpuMarket>& markets,
                                                             const std::vector<HeldTogether>& choices,
                                                             std::string_view orchestrator);

}  // namespace stockout
