#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/catalog/catalog.h"
#include "models/starter/held_part.h"
#include "models/starter/market.h"
#include "sim/io/commented_json.h"

namespace stockout {

/// The ways of buying that are compared first: on demand, Spot, Flex Start, reserved, and the usual mixtures.
/// Jobs whose GPU type is not sold so get it in the next way that has it. Each is by the first row of the
/// policy table that the orchestrator takes after the catalogue's last day, for jobs of any size.
[[nodiscard]] std::vector<CommentedJson> standard_strategies(const std::vector<GpuMarket>& markets,
                                                             const std::vector<HeldTogether>& choices,
                                                             const Catalog& catalog,
                                                             OrchestratorName orchestrator);

}  // namespace stockout
