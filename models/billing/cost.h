#pragma once

#include <optional>
#include <span>

#include "models/billing/money.h"
#include "models/billing/price_line.h"
#include "models/billing/usage.h"

namespace stockout {

/// Cost of usage, list and contracted side by side. Exact.
struct Cost {
  Money list;        // what is billed, at catalogue prices
  Money contracted;  // what is billed, after the planner's overlay: what is paid

  Cost& operator+=(const Cost& other) {
    list += other.list;
    contracted += other.contracted;
    return *this;
  }
  Cost& operator-=(const Cost& other) {
    list -= other.list;
    contracted -= other.contracted;
    return *this;
  }
  friend bool operator==(const Cost&, const Cost&) = default;
};

/// The step of a price line that holds in hour `hour` from kStart; never null for a line that reaches back to
/// the hour. Steps begin on whole hours, else InvariantError.
[[nodiscard]] const PriceStep& price_at(const PriceLine& line, std::int64_t hour);

/// Cost of these hours under the line.
[[nodiscard]] Cost cost_of(const PriceLine& line, std::span<const UsageHour> hours);

/// How long a commitment binds: 365 days a year for cud_1y and cud_3y, nothing for the other models.
[[nodiscard]] std::optional<SimDuration> commitment_term(PriceModel model);

/// Cost of `machines` over all the time for which they are owed, at the prices of the window's first hour:
/// the term of a commitment, or else as long as they are `booked` (0: not at all).
[[nodiscard]] Cost obligation(const PriceLine& line, MachineCount machines, SimDuration booked);

}  // namespace stockout
