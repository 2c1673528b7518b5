#pragma once

#include <span>

#include "models/scenario/workload/workload.h"

namespace stockout {

/// The sources that follow one another: which steps of which pipelines their jobs are. `terms`: of all
/// sources, which the world has by now.
void build_pipelines(Draft& draft, std::span<const SourceTerms> terms);

}  // namespace stockout
