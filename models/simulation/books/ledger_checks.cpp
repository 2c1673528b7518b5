#include "models/simulation/books/ledger_checks.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/check.h"

namespace stockout {

void check_rounding(const UsageLedger& usage, MachineTime rounding) {
  const MachineTime billed_on_top = usage.rounding();
  STOCKOUT_CHECK(billed_on_top == rounding,
                 fmt::format("{} machine-ms are billed on top of use, the billing rule rounded up {}",
                             billed_on_top.count(), rounding.count()));
}

void check_sublet(const UsageLedger& usage, std::span<const PriceLineId> sublet_lines, GpuTime leased) {
  GpuTime booked{};
  for (const UsageKey& key : usage.keys()) {
    if (std::ranges::find(sublet_lines, key.line) != sublet_lines.end()) booked += usage.split(key).total();
  }
  STOCKOUT_CHECK(booked == leased, fmt::format("a held pool saw {} GPU-ms leased, {} are booked as sublet",
                                               leased.count(), booked.count()));
}

}  // namespace stockout
