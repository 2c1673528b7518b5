#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/simulation/books/pool_state.h"
#include "sim/engine/slots.h"

namespace stockout {

/// Order of leases under the rules random and smallest_loss.
using VictimRank = std::function<std::uint64_t(const Lease&)>;

/// How many GPUs a partial lease gives when so many are needed: of some of its machines, or all of those that
/// are not leaving.
using PartialGift = std::function<GpuCount(const Lease&, GpuCount need)>;

/// A lease that is chosen, and of how many GPUs: fewer than it has if it is partial and may go on without.
struct Victim {
  LeaseSlot lease = kNoLease;
  GpuCount gpus{};
};

/// The spot leases to preempt so that leases of capacity source `source` that are not leaving fit its
/// capacity again: by the pool's rule, whole leases, or of a partial lease what it gives, until enough; then
/// those chosen early whose room the later ones made unnecessary are spared. `rank` is what the rules random
/// and smallest_loss order by, the least first, then the latest grant. The result may be too little, or
/// nothing if spot is not of this source: stronger leases stay.
[[nodiscard]] std::vector<Victim> choose_victims(const PoolState& pool, const SourceState& source,
                                                 const Slots<Lease, LeaseSlot>& leases,
                                                 const VictimRank& rank, const PartialGift& gift);

/// Calls `take` for each job's lease of the class that is not leaving, in the pool's rule, until it says
/// false.
void visit_victims(const PoolState& pool, LeaseClass lease_class, const Slots<Lease, LeaseSlot>& leases,
                   const VictimRank& rank, const std::function<bool(LeaseSlot)>& take);

}  // namespace stockout
