#include "models/billing/cost.h"

#include <algorithm>

#include "models/billing/hour.h"
#include "sim/core/check.h"

namespace stockout {

const PriceStep& price_at(const PriceLine& line, std::int64_t hour) {
  const SimTime at = kStart + hour * kHour;
  const auto after = std::ranges::upper_bound(line.steps, at, {}, &PriceStep::from);
  STOCKOUT_CHECK(after != line.steps.begin());
  // A step inside the hour would split usage that is kept as one number.
  STOCKOUT_CHECK(after == line.steps.end() || after->from >= at + kHour);
  return *std::prev(after);
}

Cost cost_of(const PriceLine& line, std::span<const UsageHour> hours) {
  Cost cost;
  for (const UsageHour& hour : hours) {
    const PriceStep& price = price_at(line, hour.hour);
    cost.list += price.list * hour.billed;
    cost.contracted += price.contracted * hour.billed;
  }
  return cost;
}

std::optional<SimDuration> commitment_term(PriceModel model) {
  constexpr SimDuration kYear = std::chrono::hours{24 * 365};
  if (model == PriceModel::cud_1y) return kYear;
  if (model == PriceModel::cud_3y) return 3 * kYear;
  return std::nullopt;
}

Cost obligation(const PriceLine& line, MachineCount machines, SimDuration booked) {
  const PriceStep& price = price_at(line, 0);
  const MachineTime time = machines * commitment_term(line.model).value_or(booked);
  return {.list = price.list * time, .contracted = price.contracted * time};
}

}  // namespace stockout
