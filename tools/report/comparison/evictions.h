#pragma once

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// Whose jobs Kueue evicted, for whose, and why: a line for each kind, mean of a replication. No lines where
/// none was.
[[nodiscard]] Relation kueue_evictions_table(const Report& report);

/// The same of jobs that Slurm preempted, by partition.
[[nodiscard]] Relation slurm_preemptions_table(const Report& report);

}  // namespace stockout
