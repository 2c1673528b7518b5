#pragma once

#include <string_view>

#include "models/scenario/draft/draft.h"

namespace stockout {

/// Capacity drawn from a chain. `classes` are the classes it is for: part of whose draws they are.
[[nodiscard]] CapacitySource read_markov(Draft& draft, const Node& node, const Pool& pool,
                                         std::string_view classes);

}  // namespace stockout
