#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "models/experiment/cost_difference.h"
#include "tools/report/bound_tables.h"
#include "tools/report/csv_text.h"
#include "tools/report/grouped_rows.h"
#include "tools/report/report.h"

namespace stockout {
namespace {

bool may_be_bound(Measure measure) {
  return (measure >= Measure::wait_mean && measure <= Measure::wait_max) || measure == Measure::held_late ||
         measure == Measure::lost_between_wait;
}

// Means and ratios, which a replication may not have; counts and amounts are always there.
bool may_be_missing(const MeasureInfo& measure) {
  constexpr std::array<std::string_view, 4> kUnits{"share", "h", "per job", "USD per GPU-h"};
  return std::ranges::find(kUnits, measure.unit) != kUnits.end();
}

std::string header(const Report& report) {
  std::string line = "strategy,by,group,replications";
  for (const MeasureInfo& measure : measure_table()) {
    line += fmt::format(",{0},{0}_plus_minus", measure.name);
    if (may_be_missing(measure)) line += fmt::format(",{}_replications", measure.name);
    if (may_be_bound(measure.measure)) line += fmt::format(",{}_is_lower_bound", measure.name);
  }
  line += ",cost_more_than,cost_more_usd,cost_more_usd_plus_minus,cost_more_may_be_chance";
  return line + bound_columns(report) + ",fingerprint\n";
}

// Against the strategy of the verdict; empty for groups and without a verdict.
std::string difference_cells(const Report& report, const ReportRow& row) {
  if (report.verdict == nullptr || !row.is_total) return ",,,,";
  const CostDifference one = cost_difference(report.comparison, row.strategy, report.verdict->strategy);
  return fmt::format(",{},{},{},{}", csv_text(report.comparison.strategies[report.verdict->strategy].name),
                     one.more.mean, one.more.half_width ? fmt::format("{}", *one.more.half_width) : "",
                     one.may_be_chance ? 1 : 0);
}

void append_row(std::string& text, const Report& report, GroupBy by, const ReportRow& row) {
  const StrategyResult& strategy = report.comparison.strategies[row.strategy];
  const bool is_total = by == GroupBy::nothing;
  text += fmt::format("{},{},{},{}", csv_text(strategy.name),
                      is_total ? "" : kGroupByNames[static_cast<std::size_t>(by)],
                      is_total ? "" : csv_text(row.group), strategy.replications);
  for (const MeasureInfo& measure : measure_table()) {
    const Summary& summary = (*row.values)[measure.measure];
    text += summary.is_absent() ? "," : fmt::format(",{}", summary.mean);
    text += summary.half_width ? fmt::format(",{}", *summary.half_width) : ",";
    if (may_be_missing(measure)) text += fmt::format(",{}", summary.replications);
    if (!may_be_bound(measure.measure)) continue;
    text += summary.is_absent() ? "," : summary.known == Value::Known::at_least ? ",1" : ",0";
  }
  text += difference_cells(report, row);
  text += bound_fields(report, is_total ? &strategy : nullptr);
  text += fmt::format(",{:016x}\n", fingerprint_of({strategy}));
}

}  // namespace

std::string write_csv(const Report& report) {
  std::string text = header(report);
  for (const ReportRow& row : report_rows(report)) {
    append_row(text, report, row.is_total ? GroupBy::nothing : report.by, row);
  }
  if (report.by == GroupBy::gpu) return text;
  for (const ReportRow& row : gpu_rows(report)) append_row(text, report, GroupBy::gpu, row);
  return text;
}

}  // namespace stockout
