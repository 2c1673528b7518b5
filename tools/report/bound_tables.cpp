#include "tools/report/bound_tables.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "sim/core/hours.h"
#include "tools/report/notes.h"
#include "tools/report/text_table.h"
#include "tools/report/wrap_text.h"

namespace stockout {
namespace {

using BoundRow = BoundSummary::Row;
using BoundJson = nlohmann::ordered_json;

std::string bound_cell(const std::optional<Estimate>& bound) {
  return bound ? number_text(bound->mean) : "-";
}

// What was paid for what need not be paid more than; 0 for 0 is no ratio.
std::optional<double> times_of(const Estimate& cost, const Estimate& bound) {
  if (bound.mean <= 0) return std::nullopt;
  return cost.mean / bound.mean;
}

std::string times_cell(const Estimate& cost, const Estimate& bound) {
  const std::optional<double> times = times_of(cost, bound);
  return times ? number_text(*times, 2) : "-";
}

void add_bound_columns(TextTable& table, bool has_deadlines) {
  constexpr auto kRight = TextTable::Align::right;
  table.add_column("jobs of", TextTable::Align::left);
  table.add_columns(kRight, {"jobs", "cost", "at least,\nbought in\nany way", "cost /\nthis"});
  if (has_deadlines) table.add_column("deadlines\nkept", kRight);
  if (has_deadlines) table.add_column("cost /\nthis", kRight);
  table.add_columns(kRight, {"at least,\nin its\nown ways", "cost /\nthis"});
  if (has_deadlines) table.add_column("deadlines\nkept", kRight);
  if (has_deadlines) table.add_column("cost /\nthis", kRight);
}

std::vector<std::string> cells_of(const BoundRow& row, bool has_deadlines) {
  std::vector<std::string> cells{row.strategy, number_text(row.jobs), number_text(row.cost.mean)};
  const auto add = [&](const Estimate& bound) {
    cells.push_back(bound_cell(bound));
    cells.push_back(times_cell(row.cost, bound));
  };
  add(row.any.without);
  if (has_deadlines) add(row.any.with);
  add(row.own.without);
  if (has_deadlines) add(row.own.with);
  return cells;
}

std::vector<std::string> cells_of_all(const BoundSummary& bounds) {
  std::vector<std::string> cells{"all jobs", number_text(bounds.jobs), "-",
                                 bound_cell(bounds.all_jobs.without), "-"};
  if (bounds.has_deadlines) cells.insert(cells.end(), {bound_cell(bounds.all_jobs.with), "-"});
  cells.insert(cells.end(), bounds.has_deadlines ? 4 : 2, "-");
  return cells;
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
      "buying that this scenario has; it paid {} ({} times that).",
      number_text(row->jobs), row->strategy, dollar_text(row->any.without.mean), dollar_text(row->cost.mean),
      number_text(*times, 2));
}

std::vector<std::string> remarks_on(const Report& report) {
  const BoundSummary& bounds = *report.bounds;
  std::vector<std::string> remarks{
      "A bound is for the jobs that the strategy completed; what it paid for others is in its cost alone. "
      "Nobody "
      "can be cheaper, and perhaps nobody can be as cheap: jobs may be stopped, moved and divided at no "
      "cost, "
      "tenants take no room, and nothing is ever taken back. In its own ways: with the held capacity it had, "
      "paid as it paid it.",
      "Bought in any way, held capacity is paid only for the hours that jobs use it."};
  const World& world = report.scenario.world;
  if (world.hold_end == HoldEnd::last_start && !world.held.empty())
    remarks.emplace_back(
        "What is held is paid to the last start (hold_end), so that after the last submission it "
        "is free in any way of buying.");
  if (bounds.has_deadlines)
    remarks.emplace_back("Deadlines kept: those that the strategy kept; of all jobs those that can be kept.");
  if (bounds.impossible > 0)
    remarks.push_back(
        fmt::format("All jobs: {} of them, in the mean, can be done in no way that the scenario has, and are "
                    "left out, or "
                    "not by their deadline, and are done without it.",
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

BoundJson json_of(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  BoundJson json{{"mean", estimate->mean}};
  if (estimate->half_width) json["half_width_95"] = *estimate->half_width;
  return json;
}

constexpr std::array<const char*, 6> kBoundColumns{"bound_usd",          "bound_deadlines_usd",
                                                   "bound_own_ways_usd", "bound_own_ways_deadlines_usd",
                                                   "bound_all_usd",      "bound_all_deadlines_usd"};

}  // namespace

TextTable bound_table(const Report& report) {
  const BoundSummary& bounds = *report.bounds;
  TextTable table{"Unreachable bound: perfect foresight, in US dollars"};
  add_bound_columns(table, bounds.has_deadlines);
  for (const BoundRow& row : bounds.rows) table.add_row(cells_of(row, bounds.has_deadlines));
  table.add_row(cells_of_all(bounds));
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
  std::string text = bound_table(report).to_section(layout);
  if (layout.markdown) text += '\n';
  for (const std::string& line : bound_remarks(report)) text += list_line(line, layout);
  return text;
}

std::string bound_columns(const Report& report) {
  std::string text;
  if (report.bounds == nullptr) return text;
  for (const char* column : kBoundColumns) text += fmt::format(",{}", column);
  return text;
}

std::string bound_fields(const Report& report, const StrategyResult* strategy) {
  if (report.bounds == nullptr) return {};
  const BoundRow* row = strategy == nullptr ? nullptr : row_of(*report.bounds, strategy->name);
  if (row == nullptr) return std::string(kBoundColumns.size(), ',');
  const auto field = [](const std::optional<Estimate>& bound) {
    return bound ? fmt::format(",{}", bound->mean) : std::string{","};
  };
  return field(row->any.without) + field(row->any.with) + field(row->own.without) + field(row->own.with) +
         field(report.bounds->all_jobs.without) + field(report.bounds->all_jobs.with);
}

BoundJson bounds_json(const Report& report) {
  if (report.bounds == nullptr) return nullptr;
  const BoundSummary& bounds = *report.bounds;
  BoundJson strategies = BoundJson::array();
  for (const BoundRow& row : bounds.rows) {
    strategies.push_back({{"name", row.strategy},
                          {"replications", row.replications},
                          {"jobs", row.jobs},
                          {"cost_usd", json_of(row.cost)},
                          {"any_way_usd", json_of(row.any.without)},
                          {"any_way_deadlines_usd", json_of(row.any.with)},
                          {"own_ways_usd", json_of(row.own.without)},
                          {"own_ways_deadlines_usd", json_of(row.own.with)}});
  }
  return {{"span_h", to_hours(bounds.cell)},
          {"strategies", std::move(strategies)},
          {"all_jobs",
           {{"replications", bounds.replications},
            {"jobs", bounds.jobs},
            {"impossible", bounds.impossible},
            {"any_way_usd", json_of(bounds.all_jobs.without)},
            {"any_way_deadlines_usd", json_of(bounds.all_jobs.with)}}}};
}

}  // namespace stockout
