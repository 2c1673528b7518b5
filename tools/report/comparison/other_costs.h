#pragma once

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// What each strategy pays beside machines, a line each; no rows if the scenario has no other costs.
[[nodiscard]] Relation other_costs_table(const Report& report);

}  // namespace stockout
