#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/catalog/catalog.h"

namespace stockout {

/// Where a GPU type is bought, and under which models that can be done at a known price.
struct GpuMarket {
  std::string gpu = {};
  std::string family = {};
  std::string machine = {};  // the largest of the family: a whole host
  std::string region = {};
  std::int64_t machine_gpus = 1;
  bool on_demand = false;
  bool spot = false;
  bool flex_start = false;
  bool reserved_1y = false;  // with a commitment of a year

  [[nodiscard]] bool any() const { return on_demand || spot || flex_start; }
};

/// The market of the type in the first of `regions` that sells it, else in the first of the catalogue, one
/// with on-demand first. `any()` is false where nobody sells it at a known price.
[[nodiscard]] GpuMarket market_of(const Catalog& catalog, std::string_view gpu,
                                  const std::vector<std::string>& regions);

}  // namespace stockout
