#pragma once

#include <span>

#include "models/billing/usage.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"

namespace stockout {

// What the ledger of a run says against what the leases have added up themselves. Both throw InvariantError.

/// Billed less used, over everything in the ledger, is the rounding of the billing rule.
void check_rounding(const UsageLedger& usage, MachineTime rounding);

/// Where the time of leases on a held pool went adds up to what the pool saw leased; the rest of it is idle.
void check_sublet(const UsageLedger& usage, std::span<const PriceLineId> sublet_lines, GpuTime leased);

}  // namespace stockout
