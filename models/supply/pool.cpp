#include "models/supply/pool.h"

#include <algorithm>
#include <iterator>

namespace stockout {

MachineCount Scaling::least_at(SimTime at) const {
  const auto after = std::ranges::upper_bound(steps, at, {}, &LeastStep::at);
  return after == steps.begin() ? least : std::prev(after)->least;
}

}  // namespace stockout
