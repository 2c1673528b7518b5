#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/catalog/catalog.h"
#include "models/inventory/inventory_part.h"
#include "models/starter/findings.h"
#include "models/starter/market.h"
#include "sim/io/commented_json.h"

namespace stockout {

/// Jobs on one GPU type, and where such GPUs are bought.
struct StarterSupply {
  GpuDemand demand = {};
  GpuMarket market = {};
  std::int64_t hosts = 0;  // of the pool there, guessed
};

/// Reservations that a strategy holds together.
struct HeldTogether {
  std::string label = {};  // "4 reserved"
  std::vector<std::string> names = {};
};

/// Held capacity of a first scenario: what exists, and machines that might be reserved.
struct HeldPart {
  CommentedJson commitments = CommentedJson::list("commitments");
  CommentedJson reservations = CommentedJson::list("reservations");
  std::vector<HeldTogether> choices = {};  // for strategies to hold
};

/// `existing`: the planner's lists; none: no list was given. `start` and `end`: the first day of the window
/// and the first one after it. What is over by then or begins later, whose first day no list says, and what
/// has no price in the catalogue, stands as a comment. One reservation more is to be tried, of as many
/// machines of the main GPU type as were busy on average beyond those that exist.
[[nodiscard]] HeldPart held_part(const std::optional<InventoryPart>& existing,
                                 const std::vector<StarterSupply>& supplies, const Catalog& catalog,
                                 Date start, Date end);

}  // namespace stockout
