#pragma once

#include <span>
#include <vector>

#include "models/scenario/draft/draft.h"

namespace stockout {

/// Price of one machine in a region under a price model: the catalogue's price of `prices_as_of`, or with
/// `prices_follow_calendar` those of the simulated days, with the scenario's own prices on top. For no pool,
/// as Charge::direct. Throws at `node` if there is no such price.
[[nodiscard]] PriceLine region_price_line(const Draft& draft, const Node& node, std::string_view region,
                                          MachineId machine, PriceModel model, PriceUse use);

/// Reads the scenario's own prices.
[[nodiscard]] std::vector<PriceOverlay> read_prices(const Node& root, const Catalog& catalog);

/// Throws at a factor of `prices` that finds no price anywhere, in the catalogue, in them or in the `others`
/// that they come on top of: whoever wrote it expects something to become cheaper.
void check_factors(const Node& root, const Catalog& catalog, const std::vector<PriceOverlay>& prices,
                   std::span<const PriceOverlay> others = {});

/// Reads the scenario's billing rule and management fee.
[[nodiscard]] BillingRule read_billing(const Node& node);

}  // namespace stockout
