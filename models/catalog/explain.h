#pragma once

#include <string>
#include <string_view>

#include "models/catalog/catalog.h"

namespace stockout {

/// Empty if the machine is sold under the offer, else a sentence that says what to do instead:
///   a3-highgpu-2g is not sold on_demand (only spot, flex_start); a3-highgpu-8g is
[[nodiscard]] std::string why_not(const Catalog& catalog, MachineId machine, Offer offer);

/// Empty if the place has the family, else a sentence that names the places of the region, or all, that do.
[[nodiscard]] std::string why_not(const Catalog& catalog, const Place& place, std::string_view family);

/// Empty if the catalogue has the price, else a sentence that says which rows there are and what to do.
[[nodiscard]] std::string why_no_price(const Catalog& catalog, MachineId machine, std::string_view region,
                                       PriceModel model, Date day);

}  // namespace stockout
