#pragma once

#include <string>
#include <vector>

#include "tools/page/page.h"
#include "tools/report/calibration/backtest_tables.h"

namespace stockout {

/// Series that are drawn side by side: recorded, predicted, as in the last period.
[[nodiscard]] const std::vector<std::string>& backtest_series();

/// The share of the jobs that started within a wait; of all jobs, a class or a month, as the reader chooses.
[[nodiscard]] Chart wait_laws_chart(const BacktestReport& report);

/// The mean wait of each day after the split.
[[nodiscard]] Chart wait_days_chart(const BacktestReport& report);

/// How many of the waits the intervals hold, beside how many they should.
[[nodiscard]] Chart coverage_chart(const BacktestReport& report);

}  // namespace stockout
