#pragma once

#include "models/sweep/design.h"

namespace stockout {

/// A Latin hypercube (McKay, Beckman, Conover 1979): with n points, each range is cut into n strata of equal
/// weight; a random permutation says which point lies in which, and a uniform number where in it. Throws
/// InputError for bounds that make no range.
[[nodiscard]] DesignPart read_hypercube(const Node& node);

}  // namespace stockout
