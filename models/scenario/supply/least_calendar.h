#pragma once

#include <vector>

#include "models/scenario/draft/draft.h"

namespace stockout {

/// When a held pool that grows and shrinks has more machines than `least` at the least: the key `raised` of
/// the node, as steps until the run ends. Needs `held.machines`, the most. Throws InputError for a minimum
/// that is no more than `least` or more than the most, and for a time that ends before it begins.
[[nodiscard]] std::vector<LeastStep> read_least_steps(Draft& draft, const Node& node, MachineCount least,
                                                      const HeldPool& held);

}  // namespace stockout
