#include "tools/report/comparison/goal_tables.h"

#include <utility>

#include <fmt/format.h>

#include "models/experiment/standing.h"
#include "tools/report/comparison/measure_columns.h"

namespace stockout {
namespace {

// The wait goal as one of several.
Goal as_goal(const WaitGoal& goal) {
  return {.kind = Goal::Kind::starts,
          .least = goal.quantile,
          .at_most = goal.at_most,
          .job_class = goal.job_class};
}

std::vector<AskedGoal> all_goals(const Report& report) {
  std::vector<AskedGoal> all = report.comparison.goals;
  if (const auto& goal = report.scenario.goal)
    all.insert(all.begin(), {.goal = as_goal(*goal), .text = goal_text(report.scenario)});
  return all;
}

Cell cell_of(const std::optional<Estimate>& value, const Reaches& reaches) {
  Cell cell{value};
  if (!reaches.on_average) cell.tone = Tone::failure;
  return cell;
}

}  // namespace

Column goal_column(const Goal& goal, std::size_t number) {
  const bool is_budget = goal.kind == Goal::Kind::budget;
  return {.key = fmt::format("goal_{}", number),
          .title = fmt::format("goal\n{}", number),
          .unit = is_budget ? "USD" : "%",
          .style = is_budget ? kUsd : kShare,
          .interval = Interval::in_files};
}

Relation goals_table(const Report& report) {
  Relation table{.columns = {{.key = "number", .title = "goal", .style = kWhole},
                             {.key = "kind"},
                             {.key = "asked"},
                             {.key = "text", .title = "what is asked"}}};
  for (const auto& [goal, text] : all_goals(report)) {
    const bool is_budget = goal.kind == Goal::Kind::budget;
    table.add({table.rows.size() + 1, Goal::kKindNames[static_cast<std::size_t>(goal.kind)],
               is_budget ? goal.budget_usd : goal.least, text});
  }
  return table;
}

Relation goals_met_table(const Report& report) {
  Relation table{.title = "How far each goal is met", .columns = {name_column("strategy")}};
  if (report.comparison.goals.empty()) return table;
  for (const AskedGoal& asked : all_goals(report)) {
    table.columns.push_back(goal_column(asked.goal, table.columns.size()));
    table.columns.back().interval = Interval::shown;
  }
  const Standings standings{report.comparison, report.scenario.goal};
  for (std::size_t i = 0; i < report.comparison.strategies.size(); ++i) {
    std::vector<Cell> cells{report.comparison.strategies[i].name};
    if (report.scenario.goal) cells.push_back(cell_of(standings[i].goal_met, standings[i].wait_goal));
    for (const GoalStanding& goal : standings[i].goals) cells.push_back(cell_of(goal.value, goal.reaches));
    table.add(std::move(cells));
  }
  return table;
}

std::vector<Relation> goal_tables(const Report& report) {
  Relation met = goals_met_table(report);
  if (met.empty()) return {};
  return {goals_table(report), std::move(met)};
}

}  // namespace stockout
