#pragma once

#include "models/scenario/format/node.h"
#include "sim/random/survival.h"

namespace stockout {

/// The lengths of a file that were seen, some of them not to their end.
[[nodiscard]] SurvivalCurve read_survival(const Node& node);

}  // namespace stockout
