#pragma once

#include <span>
#include <vector>

#include "models/scenario/draft/draft.h"

namespace stockout {

/// What one machine costs in a pool, zone or held, under a price model: the catalogue's price of
/// `prices_as_of`, or with `prices_follow_calendar` those of the simulated days, with the scenario's own
/// prices on top. The charge says what its usage means. Throws at `node` if there is no such price.
[[nodiscard]] PriceLine make_price_line(const Draft& draft, const Node& node, PoolId pool, MachineId machine,
                                        PriceModel model, Charge charge);

/// The same in a region, for no pool, as Charge::direct.
[[nodiscard]] PriceLine region_price_line(const Draft& draft, const Node& node, std::string_view region,
                                          MachineId machine, PriceModel model);

/// The line of a zone pool's machines, made on first use.
[[nodiscard]] PriceLineId zone_price_line(Draft& draft, const Node& node, PoolId pool, MachineId machine,
                                          PriceModel model);

/// Reads the scenario's own prices.
[[nodiscard]] std::vector<PriceOverlay> read_prices(const Node& root, const Catalog& catalog);

/// Throws at a factor of `prices` that finds no price anywhere, in the catalogue, in them or in the `others`
/// that they come on top of: whoever wrote it expects something to become cheaper.
void check_factors(const Node& root, const Catalog& catalog, const std::vector<PriceOverlay>& prices,
                   std::span<const PriceOverlay> others = {});

/// Reads the scenario's billing rule.
[[nodiscard]] BillingRule read_billing(const Node& node);

}  // namespace stockout
