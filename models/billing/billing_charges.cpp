#include "models/billing/billing_charges.h"

#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "models/billing/billing_rows.h"
#include "sim/core/error.h"
#include "sim/io/line_reader.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

constexpr BilledTime::duration kDayOfCharge = std::chrono::hours{24};

// BigQuery writes a stamp with " UTC" behind it.
BilledTime time_in(std::string_view text, std::string_view column, TimeStampReader& stamps,
                   const BillingRows& rows) {
  constexpr std::string_view kUtc = " UTC";
  std::string stamp{text};
  if (stamp.ends_with(kUtc)) stamp.replace(stamp.size() - kUtc.size(), kUtc.size(), "Z");
  const auto at_ms = stamps.parse(stamp);
  if (!at_ms) {
    rows.fail(fmt::format("column \"{}\" must be a time such as 2026-05-01T00:00:00Z, but is {}", column,
                          in_quotes(text)));
  }
  return BilledTime{std::chrono::milliseconds{*at_ms}};
}

}  // namespace

BilledCharges read_billed_charges(const std::string& path, BillingFormat format, const Catalog& catalog) {
  BillingRows rows{path, format, catalog};
  TimeStampReader stamps{"UTC", {.file = path}};
  std::map<std::tuple<BilledProduct, BilledTime, BilledTime>, double> sums;
  while (const BillingRow* row = rows.next()) {
    const BilledTime from = time_in(row->start, rows.start_column(), stamps, rows);
    const BilledTime to =
        row->end.empty() ? from + kDayOfCharge : time_in(row->end, rows.end_column(), stamps, rows);
    if (to <= from) rows.fail("a charge must end after it begins");
    const BilledProduct product{.machine = catalog.machine(row->machine).name,
                                .region = std::string{row->region},
                                .model = row->model};
    sums[{product, from, to}] += row->usd;
  }
  BilledCharges found;
  for (const auto& [key, usd] : sums) {
    const auto& [product, from, to] = key;
    found.charges.push_back({.product = product, .from = from, .to = to, .usd = usd});
  }
  found.skipped = std::move(rows.skipped());
  found.rates = std::move(rows.rates());
  return found;
}

}  // namespace stockout
