#include "tools/report/comparison/grouped_rows.h"

#include <algorithm>

#include "models/measures/grouping.h"
#include "models/measures/pipeline_tally.h"

namespace stockout {
namespace {

bool in_use(const Summaries& values) {
  constexpr std::array kSigns{Measure::jobs, Measure::cost,          Measure::leased,
                              Measure::held, Measure::pool_requests, Measure::pipelines};
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [&](Measure measure) { return values[measure].mean != 0; });
}

// By row first, then by strategy.
std::vector<ReportRow> side_by_side(const Report& report, const std::vector<std::string>& names,
                                    std::vector<Summaries> StrategyResult::*rows_of) {
  const std::vector<bool> used = groups_in_use(report.comparison, rows_of);
  std::vector<ReportRow> rows;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    for (std::size_t s = 0; s < report.comparison.strategies.size(); ++s) {
      rows.push_back(
          {.strategy = s, .group = names[i], .values = &(report.comparison.strategies[s].*rows_of)[i]});
    }
  }
  return rows;
}

}  // namespace

std::vector<bool> groups_in_use(const Comparison& comparison,
                                std::vector<Summaries> StrategyResult::*rows_of) {
  std::vector<bool> used;
  for (const StrategyResult& strategy : comparison.strategies) {
    const std::vector<Summaries>& rows = strategy.*rows_of;
    used.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) used[i] = used[i] || in_use(rows[i]);
  }
  return used;
}

std::vector<ReportRow> report_rows(const Report& report) {
  const std::vector<std::string> names = group_names(report.scenario.world, report.by);
  const std::vector<bool> used = groups_in_use(report.comparison, &StrategyResult::groups);
  std::vector<ReportRow> rows;
  for (std::size_t s = 0; s < report.comparison.strategies.size(); ++s) {
    const StrategyResult& strategy = report.comparison.strategies[s];
    rows.push_back({.strategy = s, .group = "all", .values = &strategy.total, .is_total = true});
    for (std::size_t i = 0; i < strategy.groups.size(); ++i) {
      if (used[i]) rows.push_back({.strategy = s, .group = names[i], .values = &strategy.groups[i]});
    }
  }
  return rows;
}

std::vector<ReportRow> gpu_rows(const Report& report) {
  return side_by_side(report, group_names(report.scenario.world, GroupBy::gpu), &StrategyResult::gpus);
}

std::vector<ReportRow> pipeline_rows(const Report& report) {
  return side_by_side(report, pipeline_names(report.scenario.world), &StrategyResult::pipelines);
}

std::vector<ReportRow> step_rows(const Report& report) {
  return side_by_side(report, step_names(report.scenario.world), &StrategyResult::steps);
}

}  // namespace stockout
