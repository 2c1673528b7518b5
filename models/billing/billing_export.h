#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/billing/currency.h"
#include "models/catalog/catalog.h"

namespace stockout {

/// Format of a billing export. README.md of this folder says which columns each needs.
enum class BillingFormat : std::uint8_t {
  bigquery,  // Google's usage export, flattened by the query of README.md
  focus,     // FinOps FOCUS 1.x
};
inline constexpr std::array<std::string_view, 2> kBillingFormatNames{"bigquery", "focus"};

/// Real price of one machine of a type per hour, in a region and under a model.
struct EffectivePrice {
  MachineId machine{};
  std::string region;
  PriceModel model = PriceModel::on_demand;
  double machine_hours = 0;  // above 0
  double usd = 0;            // after discounts and credits; at least 0

  [[nodiscard]] double usd_per_hour() const { return usd / machine_hours; }
};

/// Rows that give no price, for one reason.
struct SkippedCharges {
  std::string reason;
  std::uint64_t rows = 0;
  double usd = 0;
};

struct BillingExport {
  std::vector<EffectivePrice> prices;  // by machine, region and model
  std::vector<SkippedCharges> skipped;
  std::vector<UsedRate> rates;  // at which charges became USD; empty: all were
  std::string first;  // the earliest start of a charge as written, by text; empty if the file has none
  std::string last;   // the latest
};

/// Reads a plain or gzip CSV. The rows of a machine type, region and model are added up: its parts (GPU,
/// cores, memory) are SKUs of their own. Machine-hours are those of the GPU's SKU over the GPUs of a machine,
/// or, where a machine is one SKU, its own. Charges in another currency are divided by their row's rate, else
/// by `per_usd`: how much of it one USD is. Throws InputError for a missing column, a number that is none,
/// another currency without a rate, a `per_usd` that no row requires, or a file without a single price.
[[nodiscard]] BillingExport read_billing_export(const std::string& path, BillingFormat format,
                                                const Catalog& catalog,
                                                std::optional<double> per_usd = std::nullopt);

}  // namespace stockout
