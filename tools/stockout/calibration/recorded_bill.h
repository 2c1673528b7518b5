#pragma once

#include <string>
#include <vector>

#include "models/calibration/backtest.h"
#include "models/calibration/bill_backtest.h"
#include "tools/stockout/calibration/recorded_history.h"

namespace stockout {

/// Charges for machines, out of billing exports.
struct RecordedBill {
  std::string files;  // for messages
  std::vector<RecordedCharge> charges;
  std::vector<SkippedCharges> skipped;
  std::vector<UsedRate> rates;  // at which charges became USD
  std::vector<BillSpan> spans;  // that are held against the prediction
};

/// Reads the exports. Their dates become times of the history; of one without dates those of the scenario.
/// `catalog_dir`: empty for the built-in catalogue. Throws InputError, also for a file that is named twice.
[[nodiscard]] RecordedBill read_recorded_bill(const std::vector<std::string>& files,
                                              const std::string& catalog_dir, const Scenario& scenario,
                                              const RecordedHistory& record);

/// The whole hours between two times, by month. Throws InputError that names --split if there are none.
[[nodiscard]] std::vector<BillSpan> spans_of_bill(SimTime from, SimTime to, const PeriodNames& names);

/// Throws InputError, before anything is simulated, if no charge is of what the strategy buys, or none of
/// these lies in the spans.
void check_recorded(const RecordedBill& bill, const World& world, std::size_t strategy);

/// The bill of a strategy beside what its runs predict of it.
[[nodiscard]] BillBacktest backtest_recorded(const RecordedBill& bill, const World& world,
                                             std::size_t strategy, const std::vector<BacktestRun>& runs);

}  // namespace stockout
