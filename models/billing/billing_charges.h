#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "models/billing/billing_export.h"
#include "models/catalog/catalog.h"

namespace stockout {

/// Properties by which a billing export tells one way to buy a machine from another.
struct BilledProduct {
  std::string machine;  // "a3-highgpu-8g"
  std::string region;
  PriceModel model = PriceModel::on_demand;
  friend auto operator<=>(const BilledProduct&, const BilledProduct&) = default;
};

using BilledTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// Real charges for machines over a time.
struct BilledCharge {
  BilledProduct product;
  BilledTime from{};
  BilledTime to{};  // after `from`
  double usd = 0;   // after discounts and credits
};

struct BilledCharges {
  std::vector<BilledCharge> charges;  // by product and time, those of the same added up
  std::vector<SkippedCharges> skipped;
  std::vector<UsedRate> rates;  // at which charges became USD; empty: all were
};

/// Reads what the rows of a billing export charge for machines, and when: those that read_billing_export()
/// makes prices of, treated in the same way. A row without an end is of a day. Throws InputError as that
/// does, but for a file without a price, and for a row without a time.
[[nodiscard]] BilledCharges read_billed_charges(const std::string& path, BillingFormat format,
                                                const Catalog& catalog);

}  // namespace stockout
