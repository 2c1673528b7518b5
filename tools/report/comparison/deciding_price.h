#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "models/billing/price_line.h"
#include "tools/report/comparison/report.h"

namespace stockout {

/// The price on which the answer hangs most: of one machine in one region under one price model.
struct DecidingPrice {
  std::size_t line = 0;              // one of the world's price lines that have it
  std::optional<int> age_days;       // on day_of_prices(); none: its day is not known
  std::optional<std::size_t> other;  // of the comparison: costs as little as the answer at ...
  double at_usd_per_hour = 0;        // ... this price, of a machine-hour; of no meaning without `other`

  [[nodiscard]] bool is_old() const;
};

/// The price whose least change, all others as they are, makes another strategy that may win cost what the
/// answer costs. The size of a change is |ln(then / now)|: half is as far as double. Waits and use are those
/// that were simulated, so strategies that look at prices are left out. Where no change of one price does
/// that, it is the price under which the answer pays most, and `other` is none. None without a verdict, where
/// no strategy meets the goal, or where nothing is paid for machines.
[[nodiscard]] std::optional<DecidingPrice> deciding_price(const Report& report);

/// The same in words: which price it is, how much it may change, its age, quality and source. Empty: none.
[[nodiscard]] std::string deciding_text(const Report& report);

/// The warning that the deciding price is older than kOldPriceDays, and how many others that are used are.
/// Empty: it is not.
[[nodiscard]] std::string old_price_warning(const Report& report);

}  // namespace stockout
