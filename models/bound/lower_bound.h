#pragma once

#include <cstdint>
#include <vector>

#include "models/bound/market.h"
#include "sim/core/time.h"

namespace stockout {

/// A job that is to be completed.
struct JobToDo {
  SimTime submit{};
  SimTime due = kNever;  // the work is to be done by then; kNever: some time
  SimDuration work{};
  std::uint32_t kind = 0;  // place in WorkToDo::kinds
};

struct WorkToDo {
  std::vector<JobKind> kinds;
  std::vector<JobToDo> jobs;
};

/// Least cost of the work. README.md of this folder says why no schedule can be cheaper.
struct LowerBound {
  double usd = 0;
  bool possible = true;  // false: it was found that nobody can do all of it; `usd` says nothing then
  SimDuration cell{};    // capacity was counted over spans of at most this length; 0: exactly, or not at all
};

/// The least cost of doing all of the work in [kStart, horizon) with perfect foresight, in the ways of the
/// market. Jobs may be divided at will, and stopped and moved at no cost.
[[nodiscard]] LowerBound lower_bound(const BoundMarket& market, const WorkToDo& work, SimTime horizon);

}  // namespace stockout
