#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/billing/overlay.h"
#include "models/catalog/catalog.h"

namespace stockout {

/// The planner's own prices in a file of their own.
struct PriceFile {
  std::vector<PriceOverlay> prices;
  std::optional<BillingRule> billing;  // if the file has one
};

/// Reads a list of prices as under `prices` of a scenario, or an object with the scenario's keys `prices` and
/// `billing`. They come on top of `recorded`. Throws InputError with file, line and JSON pointer.
[[nodiscard]] PriceFile read_price_file(const std::string& path, const Catalog& catalog,
                                        std::span<const PriceOverlay> recorded);

}  // namespace stockout
