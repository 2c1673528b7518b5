#pragma once

#include <string>

#include "models/workload/trace_fit.h"

namespace stockout {

/// What a fit does not know and a scenario needs.
struct FittedSource {
  std::string name;      // of the sources; each size group adds its own
  std::string gpu = {};  // GPU type, or empty: any
};

/// The fit as the list that a scenario's `workload` is, in JSON.
[[nodiscard]] std::string fitted_workload(const TraceFit& fit, const FittedSource& source);

}  // namespace stockout
