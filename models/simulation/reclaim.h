#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/simulation/pool_state.h"
#include "sim/engine/slots.h"

namespace stockout {

/// What the rules random and smallest_loss order leases by.
using VictimRank = std::function<std::uint64_t(const Lease&)>;

/// How many GPUs a partial lease gives when so many are needed: of some of its machines, or all of those that
/// are not leaving.
using PartialGift = std::function<GpuCount(const Lease&, GpuCount need)>;

/// A lease that is chosen, and of how many GPUs: fewer than it has if it is partial and may go on without.
struct Victim {
  std::uint32_t lease = kNoSlot;
  GpuCount gpus{};
};

/// The leases to take back so that those of capacity source `source` that are not leaving fit its capacity
/// again. `down_to` is the strongest class that may be taken: spot when a stronger request needs room,
/// reserved when capacity fell. Weakest class first; within a class by the pool's rule; whole leases, or of a
/// partial lease what it gives, until enough; then those chosen early whose room the later ones made
/// unnecessary are spared. A held pool's own lease is never taken. `rank` is what the rules random and
/// smallest_loss order by, the least first, then the latest grant. The result may be too little if nothing
/// more may be taken.
[[nodiscard]] std::vector<Victim> choose_victims(const PoolState& pool, const SourceState& source,
                                                 const Slots<Lease>& leases, LeaseClass down_to,
                                                 const VictimRank& rank, const PartialGift& gift);

/// Calls `take` for each job's lease of the class that is not leaving, in the pool's rule, until it says
/// false.
void visit_victims(const PoolState& pool, LeaseClass lease_class, const Slots<Lease>& leases,
                   const VictimRank& rank, const std::function<bool(std::uint32_t)>& take);

}  // namespace stockout
