#include "tools/report/comparison/bound_tables.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "sim/core/hours.h"
#include "tools/report/comparison/notes.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

using BoundRow = BoundSummary::Row;

// What was paid for what need not be paid more than; 0 for 0 is no ratio.
std::optional<double> times_of(const Estimate& cost, const Estimate& bound) {
  if (bound.mean <= 0) return std::nullopt;
  return cost.mean / bound.mean;
}

/// A bound for the jobs of a strategy.
struct BoundForm {
  const char* key;
  const char* title;
  const Estimate& (*of)(const BoundRow& row);
  bool has_deadlines;
};

constexpr std::array kBounds{
    BoundForm{"any_way_usd", "at least,\nbought in\nany way",
              [](const BoundRow& row) -> const Estimate& { return row.any.without; }, false},
    BoundForm{"any_way_deadlines_usd", "deadlines\nkept",
              [](const BoundRow& row) -> const Estimate& { return row.any.with; }, true},
    BoundForm{"own_ways_usd", "at least,\nin its\nown ways",
              [](const BoundRow& row) -> const Estimate& { return row.own.without; }, false},
    BoundForm{"own_ways_deadlines_usd", "deadlines\nkept",
              [](const BoundRow& row) -> const Estimate& { return row.own.with; }, true},
};

Column usd_column(const char* key, const char* title) {
  return {.key = key, .title = title, .style = kWhole, .interval = Interval::in_files};
}

Relation bounds_of_strategies(const BoundSummary& bounds) {
  Relation table{.title = "Unreachable bound: perfect foresight, in US dollars",
                 .columns = {{.key = "name", .title = "jobs of"},
                             {.key = "replications"},
                             {.key = "jobs", .title = "jobs", .style = kWhole},
                             usd_column("cost_usd", "cost")}};
  for (const BoundForm& bound : kBounds) {
    const bool is_shown = bounds.has_deadlines || !bound.has_deadlines;
    table.columns.push_back(usd_column(bound.key, is_shown ? bound.title : ""));
    table.columns.push_back({.title = is_shown ? "cost /\nthis" : "", .style = kHundredths});
  }
  for (const BoundRow& row : bounds.rows) {
    std::vector<Cell> cells{row.strategy, row.replications, row.jobs, row.cost};
    for (const BoundForm& bound : kBounds) {
      cells.emplace_back(bound.of(row));
      cells.emplace_back(times_of(row.cost, bound.of(row)));
    }
    table.add(std::move(cells));
  }
  return table;
}

const BoundRow* row_of(const BoundSummary& bounds, const std::string& strategy) {
  const auto row = std::ranges::find(bounds.rows, strategy, &BoundRow::strategy);
  return row == bounds.rows.end() ? nullptr : &*row;
}

// About the strategy that the verdict names.
std::string bound_sentence(const Report& report) {
  if (report.verdict == nullptr || report.verdict->strategy >= report.comparison.strategies.size()) return {};
  const BoundRow* row = row_of(*report.bounds, report.comparison.strategies[report.verdict->strategy].name);
  if (row == nullptr) return {};
  const std::optional<double> times = times_of(row->cost, row->any.without);
  if (!times) return {};
  return fmt::format(
      "Even with perfect foresight, the {} jobs that {} completed cannot cost less than {} in any way of "
      "buying that this scenario has. It paid {} ({} times that).",
      number_text(row->jobs), row->strategy, dollar_text(row->any.without.mean), dollar_text(row->cost.mean),
      number_text(*times, 2));
}

std::vector<std::string> remarks_on(const Report& report) {
  const BoundSummary& bounds = *report.bounds;
  std::vector<std::string> remarks{
      "A bound is for the jobs that the strategy completed; what it paid for others is in its cost alone. "
      "Nobody can be cheaper, and perhaps nobody can be as cheap: jobs may be stopped, moved and divided at "
      "no cost, tenants take no room, and nothing is ever preempted. In its own ways: with the held capacity "
      "it had, paid as it paid it.",
      "Bought in any way, held capacity is paid only for the hours that jobs use it."};
  const World& world = report.scenario.world;
  if (world.hold_end == HoldEnd::last_start && !world.held.empty())
    remarks.emplace_back(
        "Held capacity is paid to the last start (hold_end). After the last submission it is free in any way "
        "of buying.");
  if (bounds.has_deadlines)
    remarks.emplace_back("Deadlines kept: those that the strategy kept; of all jobs those that can be kept.");
  if (bounds.impossible > 0)
    remarks.push_back(
        fmt::format("All jobs: {} of them, in the mean, cannot be done in any way that the scenario has, or "
                    "not by their deadline. The former are left out, the latter done without it.",
                    number_text(bounds.impossible, bounds.impossible < 10 ? 1 : 0)));
  if (!bounds.all_jobs.without)
    remarks.emplace_back(
        "All jobs: not all of them can be done before the run must end; then there is no bound.");
  if (bounds.cell > SimDuration::zero())
    remarks.push_back(fmt::format(
        "Capacity is counted over spans of {} h at most, not at each moment: the bound is lower for it.",
        number_text(to_hours(bounds.cell), bounds.cell < std::chrono::hours{1} ? 2 : 0)));
  return remarks;
}

}  // namespace

Relation bound_table(const Report& report) {
  const BoundSummary& bounds = *report.bounds;
  Relation table = bounds_of_strategies(bounds);
  std::vector<Cell> all{"all jobs", bounds.replications, bounds.jobs};
  all.resize(table.columns.size());
  const auto fill = [&](std::string_view key, const std::optional<Estimate>& bound) {
    const auto column = std::ranges::find(table.columns, key, &Column::key);
    all[static_cast<std::size_t>(column - table.columns.begin())] = bound;
  };
  fill("any_way_usd", bounds.all_jobs.without);
  fill("any_way_deadlines_usd", bounds.all_jobs.with);
  table.add(std::move(all));
  return table;
}

std::vector<std::string> bound_remarks(const Report& report) {
  std::vector<std::string> lines = remarks_on(report);
  if (std::string sentence = bound_sentence(report); !sentence.empty())
    lines.insert(lines.begin(), std::move(sentence));
  return lines;
}

std::string write_bounds(const Report& report, const TextLayout& layout) {
  if (report.bounds == nullptr) return {};
  std::string text = write_section(bound_table(report), layout);
  if (layout.markdown) text += '\n';
  for (const std::string& line : bound_remarks(report)) text += list_line(line, layout);
  return text;
}

std::vector<Column> bound_columns() {
  return files_only({"bound_usd", "bound_deadlines_usd", "bound_own_ways_usd", "bound_own_ways_deadlines_usd",
                     "bound_all_usd", "bound_all_deadlines_usd"});
}

std::vector<Cell> bound_cells(const BoundSummary& bounds, const StrategyResult* strategy) {
  std::vector<Cell> cells(bound_columns().size());
  const BoundRow* row = strategy == nullptr ? nullptr : row_of(bounds, strategy->name);
  if (row == nullptr) return cells;
  std::ranges::transform(kBounds, cells.begin(),
                         [&](const BoundForm& bound) { return Cell{bound.of(*row)}; });
  cells[4] = bounds.all_jobs.without;
  cells[5] = bounds.all_jobs.with;
  return cells;
}

nlohmann::ordered_json bounds_json(const BoundSummary& bounds) {
  Relation all{.columns = {{.key = "replications"},
                           {.key = "jobs"},
                           {.key = "impossible"},
                           {.key = "any_way_usd", .interval = Interval::in_files},
                           {.key = "any_way_deadlines_usd", .interval = Interval::in_files}}};
  all.add(
      {bounds.replications, bounds.jobs, bounds.impossible, bounds.all_jobs.without, bounds.all_jobs.with});
  return {{"span_h", to_hours(bounds.cell)},
          {"strategies", write_json(bounds_of_strategies(bounds))},
          {"all_jobs", write_json(all).front()}};
}

}  // namespace stockout
