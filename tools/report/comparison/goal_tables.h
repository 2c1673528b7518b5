#pragma once

#include <cstddef>
#include <vector>

#include "models/measures/goal.h"
#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// Of a goal, by its number from 1 on: the share of jobs that meet it, or of a budget the dollars.
[[nodiscard]] Column goal_column(const Goal& goal, std::size_t number);

/// Which goals there are, by number, the scenario's `goal` first.
[[nodiscard]] Relation goals_table(const Report& report);

/// How each strategy stands to each of several goals; no rows if the scenario has `goal` alone, or none.
[[nodiscard]] Relation goals_met_table(const Report& report);

/// Both for people, if there are several goals.
[[nodiscard]] std::vector<Relation> goal_tables(const Report& report);

}  // namespace stockout
