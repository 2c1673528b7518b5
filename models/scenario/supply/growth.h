#pragma once

#include <vector>

#include "models/scenario/draft/draft.h"

namespace stockout {

/// What a fixed number of GPUs counts in, and how it grows.
struct CapacityGrowth {
  GpuCount start;
  GpuCount unit{1};  // a percentage is rounded down to whole ones
  GpuCount added{};  // each time; or
  double factor = 1;
  SimDuration every{};
  SimTime origin = kStart;  // where the first `every` begins
};

/// The steps from `begin` to `end`, never below 0. Throws InputError at `node` for more GPUs than a pool may
/// have, or too many steps.
[[nodiscard]] std::vector<CapacityStep> grow(const Node& node, const CapacityGrowth& growth, SimTime begin,
                                             SimTime end);

}  // namespace stockout
