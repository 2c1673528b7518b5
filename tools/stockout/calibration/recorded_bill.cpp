#include "tools/stockout/calibration/recorded_bill.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/billing/billing_charges.h"
#include "models/billing/billing_rows.h"
#include "models/billing/hour.h"
#include "sim/core/error.h"
#include "tools/stockout/calibration/history_split.h"

namespace stockout {
namespace {

void add_skipped(const std::vector<SkippedCharges>& more, std::vector<SkippedCharges>& skipped) {
  for (const SkippedCharges& one : more) {
    const auto known = std::ranges::find(skipped, one.reason, &SkippedCharges::reason);
    if (known == skipped.end()) {
      skipped.push_back(one);
    } else {
      known->rows += one.rows;
      known->usd += one.usd;
    }
  }
}

}  // namespace

RecordedBill read_recorded_bill(const std::vector<std::string>& files, const std::string& catalog_dir,
                                const Scenario& scenario, const RecordedHistory& record) {
  const Catalog catalog = catalog_dir.empty() ? Catalog::embedded() : Catalog::from_folder(catalog_dir);
  const BilledTime begin = date_of(record, kStart).value_or(scenario.world.start_date);
  RecordedBill bill{.files = fmt::format("{}", fmt::join(files, ", ")),
                    .charges = {},
                    .skipped = {},
                    .rates = {},
                    .spans = {}};
  std::set<std::string> known;
  for (const std::string& file : files) {
    if (!known.insert(file).second) throw InputError{{.file = file}, "is named twice by --billing"};
    BilledCharges read = read_billed_charges(file, billing_format_of(file), catalog);
    for (BilledCharge& charge : read.charges) {
      bill.charges.push_back({.product = std::move(charge.product),
                              .from = kStart + (charge.from - begin),
                              .to = kStart + (charge.to - begin),
                              .usd = charge.usd});
    }
    add_skipped(read.skipped, bill.skipped);
    bill.rates.insert(bill.rates.end(), read.rates.begin(), read.rates.end());
  }
  return bill;
}

std::vector<BillSpan> spans_of_bill(SimTime from, SimTime to, const PeriodNames& names) {
  std::vector<BillSpan> spans;
  const std::int64_t first = (from - kStart + kHour - SimDuration{1}) / kHour;
  const std::int64_t end = (to - kStart) / kHour;
  for (std::int64_t hour = first; hour < end; ++hour) {
    const std::string month = names.month(kStart + hour * kHour);
    if (spans.empty() || spans.back().name != month)
      spans.push_back({.name = month, .from = hour, .to = hour});
    spans.back().to = hour + 1;
  }
  if (spans.empty()) {
    throw InputError{{.file = "command line", .pointer = "--split"},
                     "must leave an hour before the last job of the history, for --billing"};
  }
  return spans;
}

void check_recorded(const RecordedBill& bill, const World& world, std::size_t strategy) {
  check_charges(bill.spans, products_of(world, strategy), bill.charges, bill.files);
}

BillBacktest backtest_recorded(const RecordedBill& bill, const World& world, std::size_t strategy,
                               const std::vector<BacktestRun>& runs) {
  std::vector<PredictedBill> predicted;
  for (const BacktestRun& run : runs) predicted.push_back({.usd = run.bill, .weight = run.weight});
  BillBacktest found = backtest_bill(bill.spans, products_of(world, strategy), bill.charges, predicted);
  found.skipped = bill.skipped;
  found.rates = bill.rates;
  return found;
}

}  // namespace stockout
