#pragma once

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// Payments of each strategy beside machines, a line each; no rows if the scenario has no other costs.
[[nodiscard]] Relation other_costs_table(const Report& report);

}  // namespace stockout
