#pragma once

#include <string>

#include "models/workload/fit/trace_fit.h"

namespace stockout {

/// Facts that a fit does not know and a scenario needs.
struct FittedSource {
  std::string name;      // of the sources; each kind and each size group adds its own
  std::string gpu = {};  // GPU type of jobs whose own the catalogue does not know, or empty: any
};

/// The name of a kind of jobs behind that of the sources, such as "train, a3-highgpu-8g"; empty for all jobs.
[[nodiscard]] std::string name_of_kind(const FittedKind& kind);

/// The fit as the list that a scenario's `workload` is, in JSON. Machine and GPU types that the catalogue
/// does not have are left out.
[[nodiscard]] std::string fitted_workload(const TraceFit& fit, const FittedSource& source,
                                          const Catalog& catalog);

}  // namespace stockout
