#pragma once

#include <vector>

#include "models/scenario/scenario.h"
#include "sim/io/json_value.h"

namespace stockout {

/// Alternatives of a scenario that lists none, as `init` writes them: the load of other tenants a quarter
/// less and a quarter more, and half and twice the hosts of pools, if nothing is held in them. Empty where no
/// pool has a number for either. `scenario`: its text, with what was put into it.
[[nodiscard]] std::vector<Alternative> usual_alternatives(const JsonValue& scenario);

}  // namespace stockout
