#pragma once

#include <string>
#include <vector>

#include "tools/report/comparison/report.h"

namespace stockout {

/// One row of a report.
struct ReportRow {
  std::size_t strategy = 0;  // place in the comparison
  std::string group;         // "all" for the total
  const Summaries* values = nullptr;
  bool is_total = false;
};

/// Which groups have anything in them, under any strategy; by the names of `rows_of`, which picks groups,
/// gpus, pipelines or steps.
[[nodiscard]] std::vector<bool> groups_in_use(const Comparison& comparison,
                                              std::vector<Summaries> StrategyResult::*rows_of);

/// Each strategy's total and, if asked for, its groups that are in use.
[[nodiscard]] std::vector<ReportRow> report_rows(const Report& report);

/// By GPU type first, then by strategy: the same machines side by side.
[[nodiscard]] std::vector<ReportRow> gpu_rows(const Report& report);

/// The same by the source that begins pipelines, and by step. Empty without pipelines.
[[nodiscard]] std::vector<ReportRow> pipeline_rows(const Report& report);
[[nodiscard]] std::vector<ReportRow> step_rows(const Report& report);

}  // namespace stockout
