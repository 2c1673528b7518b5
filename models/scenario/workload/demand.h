#pragma once

#include "models/scenario/workload/workload.h"

namespace stockout {

/// What the demand of a source is multiplied by: its own key `demand` and the scenario's. Says so among the
/// assumptions. Needs the window.
[[nodiscard]] DemandFactor build_demand_factor(Draft& draft, const SourceTerms& source);

}  // namespace stockout
