#pragma once

#include <string>

#include "models/calibration/backtest.h"
#include "tools/report/calibration/calibration_report.h"

namespace stockout {

/// What is said of a backtest. All of it outlives this.
struct BacktestReport {
  const CalibrationReport& calibration;  // of the jobs before the split
  const Backtest& found;
  std::string split;  // for people: "2026-05-01 00:00 UTC", "day 42.0 of the window"
};

/// In a format: as text the grade, what was predicted beside what was recorded, and the parts of the error;
/// as CSV the table; as JSON all of it.
[[nodiscard]] std::string write_backtest(const BacktestReport& report, ReportFormat format,
                                         const TextLayout& layout);

}  // namespace stockout
