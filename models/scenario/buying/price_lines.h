#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

/// The line of a zone pool's machines, made on first use. `with_fee`: Vertex AI leases them, and takes its
/// management fee on top. Throws at `node` if one of the prices is not known, as all of these do.
[[nodiscard]] PriceLineId zone_price_line(Draft& draft, const Node& node, PoolId pool, MachineId machine,
                                          PriceModel model, bool with_fee);

/// Makes the lines of what the planner holds, used or not, and of what jobs use of it. A persistent resource
/// is Vertex AI's, and its fee is paid for as long as its machines are.
void add_held_lines(Draft& draft, const Node& node, PoolId pool, PriceModel model, HeldPool& held);

/// The line of what jobs use of held capacity. `with_fee`: Vertex AI runs them there. Of a reservation it
/// takes its fee for what is used, not for what is idle.
[[nodiscard]] PriceLineId sublet_price_line(Draft& draft, const Node& node, PoolId pool, bool with_fee);

}  // namespace stockout
