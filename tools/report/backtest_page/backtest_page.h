#pragma once

#include <string>

#include "tools/page/page.h"
#include "tools/report/calibration/backtest_tables.h"

namespace stockout {

/// A backtest for a browser: the grade, predicted beside recorded waits by group, by share of the jobs and by
/// day, and how often the intervals were right. `command`: the command line that makes it again.
[[nodiscard]] Page backtest_page(const BacktestReport& report, const std::string& command);

}  // namespace stockout
