#pragma once

#include <string>

#include "tools/report/calibration/backtest_tables.h"

namespace stockout {

/// In a format: as text the grade, what was predicted beside what was recorded, and the parts of the error;
/// as CSV the table; as JSON all of it.
[[nodiscard]] std::string write_backtest(const BacktestReport& report, ReportFormat format,
                                         const TextLayout& layout);

}  // namespace stockout
