#pragma once

#include <string>
#include <vector>

#include "models/history/waits_against.h"
#include "tools/table/relation.h"

namespace stockout {

/// Recorded and simulated waits, a row each below one another, by class and of all jobs, in every format.
[[nodiscard]] Relation waits_against_table(const WaitsAgainst& waits);

/// How to read the table: which jobs are matched and how many are not, and what a wait is. `file` is the
/// record's, `source` the one that reads it, where jobs are matched.
[[nodiscard]] std::vector<std::string> waits_against_notes(const WaitsAgainst& waits, const std::string& file,
                                                           const std::string& source);

}  // namespace stockout
