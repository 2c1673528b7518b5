#pragma once

#include <vector>

#include "models/simulation/books/draws.h"
#include "models/world/world.h"

namespace stockout {

/// When the provider reclaims Spot machines of a zone pool together: each pool's times, worked out as far
/// as they are asked for, and whether a machine goes with them.
class MassReclaims {
 public:
  MassReclaims(const World& world, Draws& draws) : world_{world}, draws_{draws}, times_(world.pools.size()) {}

  /// Whether the machines of the lease may be taken so.
  [[nodiscard]] bool concern(const Lease& lease) const;
  /// How long that machine of the lease, which is up from `up` on, has until it is taken so, at least
  /// kShortestLife; kForever: not in this run.
  [[nodiscard]] SimDuration life(const Lease& lease, const Job& job, std::uint64_t machine, SimTime up);

 private:
  // Of the times after `up`, that behind `more` others; kNever: not in this run.
  [[nodiscard]] SimTime time_after(PoolId pool, SimTime up, std::uint64_t more);

  const World& world_;
  Draws& draws_;
  std::vector<std::vector<SimTime>> times_;  // by PoolId, in order; the last may be after the end of the run
};

}  // namespace stockout
