#pragma once

#include "sim/core/time.h"

namespace stockout {

/// The least multiple of the grid that is not before `at`: own ends of leases are on the grid.
[[nodiscard]] inline SimTime on_grid(SimTime at, SimDuration grid) {
  if (grid <= SimDuration{1} || at == kNever) return at;
  const SimDuration rest = (at - kStart) % grid;
  if (rest == SimDuration::zero()) return at;
  return at - rest + (rest > SimDuration::zero() ? grid : SimDuration::zero());
}

}  // namespace stockout
