#pragma once

#include "models/bound/lower_bound.h"

namespace stockout {

/// Cost of doing the work, as a flow.
struct FlowBound {
  double usd = 0;
  bool possible = true;  // false: there is not enough for all of it
  SimDuration cell{};    // 0: cells begin and end where anything changes
};

/// The least cost of work that flows from jobs to cells of (resource, time). If that would be too large for a
/// minute, over fewer and longer cells, which give a lower bound; 0 if even two are too many. Some work,
/// horizon finite.
[[nodiscard]] FlowBound flow_bound(const BoundMarket& market, const WorkToDo& work, SimTime horizon);

}  // namespace stockout
