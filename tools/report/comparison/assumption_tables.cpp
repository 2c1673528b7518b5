#include "tools/report/comparison/assumption_tables.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/report/comparison/measure_columns.h"
#include "tools/table/text_table.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr const char* kAsWrittenText = "as written";

// Of an alternative that changes nothing: an answer that was none stays none.
const char* same_text(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::undecided:
      return "undecided, as it is written";
    case Verdict::Kind::none_meets_goal:
      return "none meets the goal, as it is written";
    case Verdict::Kind::class_never_runs:
      return "no answer, as it is written";
    default:
      return "the same";
  }
}

std::string under_text(const Report& report, const Extreme& extreme) {
  if (extreme.under == Extreme::kAsWritten) return kAsWrittenText;
  return report.band->alternatives[extreme.under].name;
}

Cell extreme_cell(const Extreme& extreme) {
  Cell cell{extreme.value};
  cell.at_least = extreme.is_bound;
  return cell;
}

Column band_column(const Column& measure, const char* key, const char* title) {
  Column column = measure;
  column.key = key;
  column.title = title;
  return column;
}

Relation band_table(const Report& report, Measure of, const char* title) {
  const Column measure = shown_column(of, "");
  Relation table{.title = fmt::format("{}: noise (±) and assumptions (lowest to highest)", title),
                 .unit = measure.unit,
                 .columns = {name_column("strategy"),
                             band_column(measure, "written", "as written"),
                             band_column(measure, "low", "lowest"),
                             {.key = "low_under", .title = "under"},
                             band_column(measure, "high", "highest"),
                             {.key = "high_under", .title = "under"}}};
  table.columns[1].interval = Interval::shown;
  for (std::size_t i = 0; i < report.comparison.strategies.size(); ++i) {
    const StrategyResult& result = report.comparison.strategies[i];
    const auto band = band_of(report.comparison, *report.band, i, of);
    if (!band) {
      table.add({result.name, Cell{}, Cell{}, "", Cell{}, ""});
      continue;
    }
    table.add({result.name, measure_cell(result.total[of], 0), extreme_cell(band->low),
               under_text(report, band->low), extreme_cell(band->high), under_text(report, band->high)});
  }
  return table;
}

const char* outcome_name(AnswerOutcome outcome) {
  switch (outcome) {
    case AnswerOutcome::same:
      return "same";
    case AnswerOutcome::other_winner:
      return "other_winner";
    case AnswerOutcome::undecided:
      return "undecided";
    case AnswerOutcome::none:
      return "none_meets_goal";
  }
  return "same";
}

using Json = nlohmann::ordered_json;

Json extreme_json(const Report& report, const Extreme& extreme) {
  Json entry{{"mean", extreme.value}, {"alternative", nullptr}};
  if (extreme.is_bound) entry["is_lower_bound"] = true;
  if (extreme.under != Extreme::kAsWritten)
    entry["alternative"] = report.band->alternatives[extreme.under].name;
  return entry;
}

Json strategy_bands(const Report& report, std::size_t strategy) {
  Json measures = Json::object();
  for (const MeasureInfo& measure : measure_table()) {
    const auto band = band_of(report.comparison, *report.band, strategy, measure.measure);
    if (!band) continue;
    measures[std::string{measure.name}] = {{"lowest", extreme_json(report, band->low)},
                                           {"highest", extreme_json(report, band->high)}};
  }
  return {{"name", report.comparison.strategies[strategy].name}, {"measures", std::move(measures)}};
}

}  // namespace

std::vector<Relation> band_tables(const Report& report) {
  std::vector<Relation> tables{band_table(report, Measure::cost, "Cost, in US dollars"),
                               band_table(report, Measure::wait_mean, "Mean wait, in hours")};
  tables.push_back(report.scenario.goal ? band_table(report, Measure::goal_met_share, "Goal met, in %")
                                        : band_table(report, Measure::work_done_share, "Work done, in %"));
  return tables;
}

// Whole sentences where they say something new.
Relation band_verdicts(const Report& report) {
  Relation table{.title = "The verdict under each alternative, one at a time",
                 .columns = {name_column("rule"),
                             {.key = "name", .title = "alternative"},
                             {.key = "outcome"},
                             {.key = "verdict"},
                             {.key = "strategy"},
                             {.key = "sentence", .title = "verdict"},
                             {.key = "fingerprint"}}};
  for (const AlternativeResult& one : report.band->alternatives) {
    const Cell sentence{one.verdict.sentence};
    const bool is_undecided = one.verdict.kind == Verdict::Kind::undecided;
    const std::string& name = one.comparison.strategies[one.verdict.strategy].name;
    table.add({one.rule, one.name, outcome_name(one.outcome), one.verdict.kind_name(),
               is_undecided ? Cell{} : Cell{name},
               one.outcome == AnswerOutcome::same ? sentence.as(same_text(one.verdict.kind)) : sentence,
               fmt::format("{:016x}", one.comparison.fingerprint)});
  }
  return table;
}

std::string write_band(const Report& report, const TextLayout& layout) {
  if (report.band == nullptr) return {};
  std::string text;
  for (const Relation& table : band_tables(report)) text += write_section(table, layout);
  const TextTable verdicts = text_table(band_verdicts(report), true);
  text += fmt::format("\n{}\n{}", verdicts.title, layout.markdown ? "\n" : "");
  for (const auto& row : verdicts.rows)
    text += list_line(fmt::format("{} ({}): {}", row[1].text, row[0].text, row.back().text), layout);
  return text;
}

nlohmann::ordered_json band_json(const Report& report) {
  if (report.band == nullptr) return nullptr;
  Json strategies = Json::array();
  for (std::size_t i = 0; i < report.comparison.strategies.size(); ++i)
    strategies.push_back(strategy_bands(report, i));
  return {{"sentence", report.band->sentence},
          {"alternatives", write_json(band_verdicts(report))},
          {"strategies", std::move(strategies)}};
}

}  // namespace stockout
