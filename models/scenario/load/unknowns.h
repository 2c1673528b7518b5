#pragma once

#include <vector>

#include "models/scenario/format/node.h"
#include "models/scenario/format/unknown.h"

namespace stockout {

/// Unknowns of a scenario file. Throws InputError for ranges of no or one number, names that come twice,
/// places that two of them change, and places that no provider or market decides. Whether a pointer leads
/// anywhere shows when it is used.
[[nodiscard]] std::vector<Unknown> read_unknowns(const Node& root);

}  // namespace stockout
