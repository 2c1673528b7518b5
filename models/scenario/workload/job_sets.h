#pragma once

#include <span>

#include "models/scenario/workload/workload.h"

namespace stockout {

/// The sources that are with one another: which sets their jobs are in. After build_pipelines().
void build_job_sets(Draft& draft, std::span<const SourceTerms> terms);

}  // namespace stockout
