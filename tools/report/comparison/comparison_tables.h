#pragma once

#include <vector>

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// The tables of a comparison for people: jobs, waits, use and cost, with the groups asked for.
[[nodiscard]] std::vector<Relation> comparison_tables(const Report& report);

/// What the short answer tells of each strategy and of the groups asked for: cost, goal, waits, work done and
/// what commitments bind to. Deadlines are there where no goal is.
[[nodiscard]] Relation answer_table(const Report& report);

/// What is looked at first, a row a strategy.
[[nodiscard]] Relation summary_table(const Report& report);

}  // namespace stockout
