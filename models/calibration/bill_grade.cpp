#include "models/calibration/bill_grade.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace stockout {

void add_bill(Backtest& found, BillBacktest bill) {
  constexpr std::array kLargestErrors{0.25, 0.1};  // fair, good
  auto grade = BacktestGrade::poor;
  for (std::size_t i = 0; i < kLargestErrors.size(); ++i)
    if (bill.is_within(kLargestErrors[i])) grade = static_cast<BacktestGrade>(i + 1);
  if (grade < found.grade) {
    found.grade = grade;
    found.why.clear();
  }
  if (grade == found.grade && grade != BacktestGrade::good) {
    const auto error = bill.rows.front().error();
    found.why.push_back(error ? fmt::format("the bill is predicted {:.0f} % too {}", 100 * std::abs(*error),
                                            *error > 0 ? "high" : "low")
                              : "the recorded bill is not above 0");
  }
  found.bill = std::move(bill);
}

}  // namespace stockout
