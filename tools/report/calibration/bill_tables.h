#pragma once

#include <string>
#include <vector>

#include "models/calibration/bill_backtest.h"
#include "tools/table/relation.h"

namespace stockout {

/// A row for the bill in all and each month: recorded, predicted, and between what the worlds lie.
[[nodiscard]] Relation bill_table(const BillBacktest& bill);

/// How far off the bill in all is: "the bill is predicted 4 % too low".
[[nodiscard]] std::string bill_error_text(const BillBacktest& bill);

/// Charges that both sides count, and those that are left out. A sentence or two each.
[[nodiscard]] std::vector<std::string> bill_notes(const BillBacktest& bill);

}  // namespace stockout
