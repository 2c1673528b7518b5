#include "tools/report/comparison/world_tables.h"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/report/comparison/measure_columns.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr double kLowest = 0.05;
constexpr double kHighest = 0.95;

// By measure: in the world in the middle, and between what it lies.
struct WorldColumns {
  Measure measure;
  std::string_view title;
  std::string_view key;
};

std::array<WorldColumns, 3> world_columns(const Report& report) {
  const bool has_goal = report.scenario.goal.has_value();
  return {WorldColumns{Measure::cost, "cost", "cost_usd"},
          WorldColumns{Measure::wait_p95, "p95 wait", "wait_p95_h"},
          has_goal ? WorldColumns{Measure::goal_met_share, "goal met", "goal_met_share"}
                   : WorldColumns{Measure::work_done_share, "work done", "work_done_share"}};
}

Cell world_cell(const std::optional<WorldValue>& value) {
  if (!value) return {};
  Cell cell{value->mean};
  cell.at_least = value->is_bound;
  return cell;
}

Relation world_verdicts(const Report& report) {
  Relation table{.columns = files_only({"name", "weight", "kind", "strategy", "sentence", "fingerprint"})};
  for (const WorldResult& world : report.worlds->worlds) {
    table.add({world.name, world.weight, world.verdict.kind_name(),
               world.comparison.strategies[world.verdict.strategy].name, world.verdict.sentence,
               fmt::format("{:016x}", world.comparison.fingerprint)});
  }
  return table;
}

}  // namespace

Relation worlds_table(const Report& report) {
  const WorldBand& band = *report.worlds;
  Relation table{
      .title = "Noise (±) in the world in the middle, and between what 90 % of the worlds lie",
      .columns = {name_column("strategy"),
                  {.key = "answer_share", .title = "the answer\nin", .unit = "%", .style = kPercent}}};
  for (const WorldColumns& shown : world_columns(report)) {
    Column middle = shown_column(shown.measure, std::string{shown.title});
    middle.key = shown.key;
    middle.interval = shown.measure == Measure::cost ? Interval::shown : Interval::in_files;
    middle.bound = info(shown.measure).may_be_bound();
    for (const auto& [suffix, title] :
         {std::pair{"_low", "from"}, std::pair{"", ""}, std::pair{"_high", "to"}}) {
      Column column = middle;
      column.key += suffix;
      if (*title != '\0') {
        column.title = title;
        column.interval = Interval::none;
      }
      table.columns.push_back(column);
    }
  }
  for (std::size_t i = 0; i < report.comparison.strategies.size(); ++i) {
    const StrategyResult& result = report.comparison.strategies[i];
    std::vector<Cell> cells{result.name, band.best[i]};
    for (const WorldColumns& shown : world_columns(report)) {
      cells.push_back(world_cell(world_quantile(band, i, shown.measure, kLowest)));
      cells.push_back(measure_cell(result.total[shown.measure], 0));
      cells.push_back(world_cell(world_quantile(band, i, shown.measure, kHighest)));
    }
    table.add(std::move(cells));
  }
  return table;
}

std::string write_worlds(const Report& report, const TextLayout& layout) {
  return report.worlds == nullptr ? std::string{} : write_section(worlds_table(report), layout);
}

nlohmann::ordered_json worlds_json(const Report& report) {
  return {{"sentence", report.worlds->sentence},
          {"undecided_share", report.worlds->undecided},
          {"none_share", report.worlds->none},
          {"strategies", write_json(worlds_table(report))},
          {"worlds", write_json(world_verdicts(report))}};
}

}  // namespace stockout
