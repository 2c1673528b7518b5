#include <fmt/format.h>

#include "models/experiment/cost_difference.h"
#include "tools/report/bound_tables.h"
#include "tools/report/csv_text.h"
#include "tools/report/grouped_rows.h"
#include "tools/report/report.h"

namespace stockout {
namespace {

std::string header(const Report& report) {
  std::string line = "strategy,by,group,replications";
  for (const MeasureInfo& measure : measure_table()) {
    line += fmt::format(",{0},{0}_plus_minus", measure.name);
    if (measure.may_be_missing()) line += fmt::format(",{}_replications", measure.name);
    if (measure.may_be_bound()) line += fmt::format(",{}_is_lower_bound", measure.name);
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
    if (measure.may_be_missing()) text += fmt::format(",{}", summary.replications);
    if (!measure.may_be_bound()) continue;
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
