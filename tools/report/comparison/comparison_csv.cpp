#include "tools/report/comparison/comparison_csv.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/report/comparison/bound_tables.h"
#include "tools/report/comparison/cost_columns.h"
#include "tools/report/comparison/goal_tables.h"
#include "tools/report/comparison/grouped_rows.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/report/comparison/report.h"

namespace stockout {
namespace {

Relation every_measure(const Report& report) {
  Relation table{.columns = files_only({"strategy", "by", "group", "replications"})};
  for (const MeasureInfo& measure : measure_table()) table.columns.push_back(measure_column(measure.measure));
  table.columns.push_back({.key = "cost_more_than"});
  table.columns.push_back({.key = "cost_more_usd", .interval = Interval::in_files});
  table.columns.push_back({.key = "cost_more_may_be_chance"});
  if (report.bounds != nullptr) {
    const std::vector<Column> bounds = bound_columns();
    table.columns.insert(table.columns.end(), bounds.begin(), bounds.end());
  }
  const Relation goals = goals_met_table(report);
  if (!goals.empty())
    table.columns.insert(table.columns.end(), goals.columns.begin() + 1, goals.columns.end());
  table.columns.push_back({.key = "fingerprint"});
  if (report.band == nullptr) return table;
  const std::vector<Column> which = files_only({"rule", "alternative"});
  table.columns.insert(table.columns.end(), which.begin(), which.end());
  return table;
}

bool has_bounds(const Relation& table) {
  const std::string first = bound_columns().front().key;
  return std::ranges::find(table.columns, first, &Column::key) != table.columns.end();
}

// Against the strategy of the verdict; nothing for groups and without a verdict.
std::vector<Cell> difference_cells(const Report& report, const ReportRow& row) {
  if (report.verdict == nullptr || !row.is_total) return std::vector<Cell>(3);
  const Cell more = cost_more_cell(report.comparison, row.strategy, report.verdict->strategy);
  return {report.comparison.strategies[report.verdict->strategy].name, more, more.may_be_chance};
}

// Alternatives have no bounds, but their columns.
std::vector<Cell> bounds_of(const Report& report, const StrategyResult* strategy) {
  return report.bounds != nullptr ? bound_cells(*report.bounds, strategy)
                                  : std::vector<Cell>(bound_columns().size());
}

// `by`: empty for a total. `goals`: goals_met_table(); its first column is the strategy.
void add_row(Relation& table, const Report& report, const Relation& goals, std::string_view by,
             const ReportRow& row) {
  const StrategyResult& strategy = report.comparison.strategies[row.strategy];
  const bool is_total = by.empty();
  std::vector<Cell> cells{strategy.name, by, is_total ? "" : row.group, strategy.replications};
  const auto append = [&](const std::vector<Cell>& more) {
    cells.insert(cells.end(), more.begin(), more.end());
  };
  for (const MeasureInfo& measure : measure_table())
    cells.push_back(measure_cell((*row.values)[measure.measure], strategy.replications));
  append(difference_cells(report, row));
  if (has_bounds(table)) append(bounds_of(report, is_total ? &strategy : nullptr));
  if (!goals.empty()) {
    const std::vector<Cell>& met = goals.rows[row.strategy].cells;
    append(is_total ? std::vector<Cell>{met.begin() + 1, met.end()} : std::vector<Cell>(met.size() - 1));
  }
  cells.emplace_back(fmt::format("{:016x}", fingerprint_of({strategy})));
  cells.resize(table.columns.size(), Cell{});
  table.add(std::move(cells));
}

void add_rows(Relation& table, const Report& report) {
  const Relation goals = goals_met_table(report);
  const auto add = [&](std::string_view by, const ReportRow& row) { add_row(table, report, goals, by, row); };
  for (const ReportRow& row : report_rows(report))
    add(row.is_total ? "" : kGroupByNames[static_cast<std::size_t>(report.by)], row);
  for (const ReportRow& row : pipeline_rows(report)) add("pipeline", row);
  for (const ReportRow& row : step_rows(report)) add("step", row);
  if (report.by == GroupBy::gpu) return;
  for (const ReportRow& row : gpu_rows(report)) add("gpu", row);
}

// The rows of an alternative say at their end which it is.
void add_alternative(Relation& table, const Report& report, const AlternativeResult& alternative) {
  const std::size_t before = table.rows.size();
  add_rows(table, {.scenario = report.scenario,
                   .comparison = alternative.comparison,
                   .verdict = &alternative.verdict,
                   .headline = {},
                   .by = GroupBy::nothing,
                   .version = report.version});
  for (std::size_t i = before; i < table.rows.size(); ++i) {
    std::vector<Cell>& cells = table.rows[i].cells;
    cells[cells.size() - 2] = alternative.rule;
    cells.back() = alternative.name;
  }
}

}  // namespace

Relation every_row(const Report& report) {
  Relation table = every_measure(report);
  add_rows(table, report);
  if (report.band != nullptr)
    for (const AlternativeResult& alternative : report.band->alternatives)
      add_alternative(table, report, alternative);
  return table;
}

}  // namespace stockout
