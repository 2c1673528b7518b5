#include "tools/report/assumption_tables.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/measures/number_text.h"
#include "tools/report/csv_text.h"
#include "tools/report/notes.h"
#include "tools/report/text_table.h"
#include "tools/report/wrap_text.h"

namespace stockout {
namespace {

constexpr const char* kAsWrittenText = "as written";

struct BandTable {
  std::string_view title;
  Measure measure;
  double scale;
  int decimals;
};

std::string band_number(double value, bool is_bound, const BandTable& table) {
  return (is_bound ? "> " : "") + number_text(value * table.scale, table.decimals);
}

std::string under_text(const Report& report, const Extreme& extreme) {
  if (extreme.under == Extreme::kAsWritten) return kAsWrittenText;
  return report.band->alternatives[extreme.under].name;
}

std::vector<std::string> band_row(const Report& report, std::size_t strategy, const BandTable& table) {
  const StrategyResult& result = report.comparison.strategies[strategy];
  const Summary& written = result.total[table.measure];
  const auto band = band_of(report.comparison, *report.band, strategy, table.measure);
  if (!band) return {result.name, "-", "-", "-", "", "-", ""};
  const bool is_bound = written.known == Value::Known::at_least;
  return {result.name,
          written.is_absent() ? "-" : band_number(written.mean, is_bound, table),
          written.half_width ? band_number(*written.half_width, false, table) : "-",
          band_number(band->low.value, band->low.is_bound, table),
          under_text(report, band->low),
          band_number(band->high.value, band->high.is_bound, table),
          under_text(report, band->high)};
}

TextTable band_table(const Report& report, const BandTable& spec) {
  TextTable table{fmt::format("{}: noise (±) and assumptions (lowest to highest)", spec.title)};
  table.add_column("strategy", TextTable::Align::left);
  table.add_columns(TextTable::Align::right, {"as written", "±", "lowest"});
  table.add_column("under", TextTable::Align::left);
  table.add_column("highest", TextTable::Align::right);
  table.add_column("under", TextTable::Align::left);
  for (std::size_t i = 0; i < report.comparison.strategies.size(); ++i)
    table.add_row(band_row(report, i, spec));
  return table;
}

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::same:
      return "same";
    case Outcome::other_winner:
      return "other_winner";
    case Outcome::undecided:
      return "undecided";
    case Outcome::none:
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

// Lines of a CSV report, the header aside, with two fields more.
void append_lines(std::string& text, std::string_view rows, const std::string& rule,
                  const std::string& name) {
  rows.remove_prefix(std::min(rows.size(), rows.find('\n') + 1));
  while (!rows.empty()) {
    const std::size_t end = rows.find('\n');
    text += fmt::format("{},{},{}\n", rows.substr(0, end), csv_text(rule), csv_text(name));
    rows.remove_prefix(end + 1);
  }
}

}  // namespace

std::vector<TextTable> band_tables(const Report& report) {
  const BandTable goal{
      .title = "Goal met, in %", .measure = Measure::goal_met_share, .scale = 100, .decimals = 1};
  const BandTable work{
      .title = "Work done, in %", .measure = Measure::work_done_share, .scale = 100, .decimals = 1};
  const std::array specs{
      BandTable{.title = "Cost, in US dollars", .measure = Measure::cost, .scale = 1, .decimals = 0},
      BandTable{.title = "Mean wait, in hours", .measure = Measure::wait_mean, .scale = 1, .decimals = 2},
      report.scenario.goal ? goal : work};
  std::vector<TextTable> tables;
  for (const BandTable& spec : specs) tables.push_back(band_table(report, spec));
  return tables;
}

// Whole sentences where they say something new.
TextTable band_verdicts(const Report& report) {
  TextTable table{"The verdict under each alternative, one at a time"};
  table.add_columns(TextTable::Align::left, {"alternative", "rule", "verdict"});
  for (const AlternativeResult& one : report.band->alternatives) {
    table.add_row({one.name, one.rule, one.outcome == Outcome::same ? "the same" : one.verdict.sentence});
  }
  return table;
}

std::string write_band(const Report& report, const TextLayout& layout) {
  if (report.band == nullptr) return {};
  std::string text;
  for (const TextTable& table : band_tables(report)) text += table.to_section(layout);
  const TextTable verdicts = band_verdicts(report);
  text += fmt::format("\n{}\n{}", verdicts.title(), layout.markdown ? "\n" : "");
  for (const std::vector<std::string>& row : verdicts.rows())
    text += list_line(fmt::format("{} ({}): {}", row[0], row[1], row[2]), layout);
  return text;
}

nlohmann::ordered_json band_json(const Report& report) {
  if (report.band == nullptr) return nullptr;
  Json alternatives = Json::array();
  for (const AlternativeResult& one : report.band->alternatives) {
    alternatives.push_back({{"rule", one.rule},
                            {"name", one.name},
                            {"outcome", outcome_name(one.outcome)},
                            {"strategy", one.comparison.strategies[one.verdict.strategy].name},
                            {"sentence", one.verdict.sentence},
                            {"fingerprint", fmt::format("{:016x}", one.comparison.fingerprint)}});
  }
  Json strategies = Json::array();
  for (std::size_t i = 0; i < report.comparison.strategies.size(); ++i)
    strategies.push_back(strategy_bands(report, i));
  return {{"sentence", report.band->sentence},
          {"alternatives", std::move(alternatives)},
          {"strategies", std::move(strategies)}};
}

std::string with_alternatives(const Report& report, std::string rows) {
  if (report.band == nullptr) return rows;
  std::string text = rows.substr(0, rows.find('\n')) + ",rule,alternative\n";
  append_lines(text, rows, "", "");
  for (const AlternativeResult& one : report.band->alternatives) {
    const Report other{.scenario = report.scenario,
                       .comparison = one.comparison,
                       .verdict = &one.verdict,
                       .headline = {},
                       .by = GroupBy::nothing,
                       .version = report.version};
    append_lines(text, write_csv(other), one.rule, one.name);
  }
  return text;
}

}  // namespace stockout
