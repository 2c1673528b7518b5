#pragma once

#include <string>
#include <vector>

#include "models/calibration/backtest.h"
#include "tools/report/calibration/calibration_report.h"
#include "tools/table/relation.h"

namespace stockout {

/// Subject of a report on a backtest. All of it outlives this.
struct BacktestReport {
  const CalibrationReport& calibration;  // of the jobs before the split
  const Backtest& found;
  std::string split;  // for people: "2026-05-01 00:00 UTC", "day 42.0 of the window"
};

/// The grade and its reasons, in a sentence or two.
[[nodiscard]] std::string backtest_headline(const BacktestReport& report);

/// A row for each group of jobs and figure: recorded, predicted, of the worlds and of the last period.
[[nodiscard]] Relation backtest_table(const BacktestReport& report);

/// A row for each day after the split.
[[nodiscard]] Relation days_table(const BacktestReport& report);

/// A row for each level: the share of the waits within their own intervals.
[[nodiscard]] Relation coverage_table(const Backtest& found);

/// How good it was in other ways, what was left out, and which part of it erred. A sentence or two each.
[[nodiscard]] std::vector<std::string> backtest_notes(const BacktestReport& report);

}  // namespace stockout
