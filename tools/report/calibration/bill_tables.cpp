#include "tools/report/calibration/bill_tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/measures/number_text.h"
#include "sim/core/counted.h"

namespace stockout {
namespace {

constexpr std::size_t kMostOthersNamed = 3;

std::string others_text(const BillBacktest& bill) {
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(bill.others.size(), kMostOthersNamed); ++i)
    named.push_back(fmt::format("{} ({})", bill.others[i].product, dollar_text(bill.others[i].usd)));
  const std::size_t more = bill.others.size() - named.size();
  if (more > 0) named.push_back(fmt::format("{} more", more));
  return fmt::format("{} of other products are left out: the strategy does not buy {}.",
                     dollar_text(bill.others_usd()), fmt::join(named, ", "));
}

}  // namespace

Relation bill_table(const BillBacktest& bill) {
  Relation table{.title = "Bill after the split",
                 .columns = {{.key = "period", .title = "period"},
                             {.key = "recorded_usd", .title = "recorded", .unit = "USD", .style = kUsd},
                             {.key = "predicted_usd", .title = "predicted", .unit = "USD", .style = kUsd},
                             {.key = "error",
                              .title = "off by",
                              .unit = "%",
                              .style = {.decimals = 1, .scale = 100, .has_plus = true}}}};
  for (const double level : kBillLevels) {
    const std::string name = number_text(100 * level);
    table.columns.push_back({.key = fmt::format("low_{}_usd", name),
                             .title = fmt::format("{} % of the\nworlds from", name),
                             .unit = "USD",
                             .style = kUsd});
    table.columns.push_back(
        {.key = fmt::format("high_{}_usd", name), .title = "to", .unit = "USD", .style = kUsd});
  }
  for (const BillRow& row : bill.rows) {
    const auto error = row.error();
    std::vector<Cell> cells{row.name, row.recorded_usd, row.predicted_usd, error ? Cell{*error} : Cell{}};
    for (const BillInterval& interval : row.intervals) {
      cells.emplace_back(interval.low);
      cells.emplace_back(interval.high);
    }
    table.add(std::move(cells));
  }
  return table;
}

std::string bill_error_text(const BillBacktest& bill) {
  const auto error = bill.rows.front().error();
  if (!error) return "no bill above 0 was recorded";
  if (std::abs(*error) < 0.0005) return "the bill is predicted as recorded";
  return fmt::format("the bill is predicted {:.1f} % too {}", 100 * std::abs(*error),
                     *error > 0 ? "high" : "low");
}

std::vector<std::string> bill_notes(const BillBacktest& bill) {
  std::vector<std::string> notes;
  notes.push_back(fmt::format(
      "Both bills are of machines and of Vertex AI's fee on them, without commitments and what these cover. The "
      "recorded one is after discounts and credits. The predicted one is at the prices of the scenario: the mean of "
      "{}, and between what shares of them lie.",
      counted(bill.worlds, "world")));
  for (const UsedRate& rate : bill.rates) notes.push_back(text_of(rate) + '.');
  if (!bill.others.empty()) notes.push_back(others_text(bill));
  for (const SkippedCharges& skipped : bill.skipped) {
    notes.push_back(fmt::format("Left out of the export, whatever the dates: {} ({}), {}.",
                                counted(skipped.rows, "row"), dollar_text(skipped.usd), skipped.reason));
  }
  return notes;
}

}  // namespace stockout
