#pragma once

#include "models/calibration/backtest.h"

namespace stockout {

/// Adds the bill to it. The grade is no better than that of the bill in all: "good" within 10 %, "fair"
/// within 25 %.
void add_bill(Backtest& found, BillBacktest bill);

}  // namespace stockout
