#include "models/starter/market.h"

#include <algorithm>

namespace stockout {
namespace {

// Whether jobs of any size get machines of the family: each that may be chosen for them has a price.
bool sells(const Catalog& catalog, const GpuMarket& market, Offer offer, PriceModel model) {
  for (std::int64_t gpus = 1; gpus <= market.machine_gpus; ++gpus) {
    const auto machine = catalog.smallest_machine(market.family, offer, GpuCount{gpus});
    if (!machine || !catalog.price(*machine, market.region, model, catalog.latest())) return false;
  }
  return true;
}

GpuMarket market_in(const Catalog& catalog, std::string_view gpu, const std::string& family,
                    std::string region) {
  GpuMarket market{.gpu = std::string{gpu}, .family = family, .machine = {}, .region = std::move(region)};
  const Place* place = catalog.find_place(market.region);
  if (place == nullptr || !Catalog::offers(*place, family)) return market;
  for (const MachineType& machine : catalog.machines()) {
    if (machine.family != family || (!market.machine.empty() && machine.gpus.count() <= market.machine_gpus))
      continue;
    market.machine = machine.name;
    market.machine_gpus = machine.gpus.count();
  }
  market.on_demand = sells(catalog, market, Offer::on_demand, PriceModel::on_demand);
  market.spot = sells(catalog, market, Offer::spot, PriceModel::spot);
  market.flex_start = sells(catalog, market, Offer::flex_start, PriceModel::flex_start);
  const MachineId machine = *catalog.find_machine(market.machine);
  market.reserved_1y = catalog.machine(machine).accepts[static_cast<std::size_t>(Offer::reservation)] &&
                       catalog.price(machine, market.region, PriceModel::cud_1y, catalog.latest());
  return market;
}

}  // namespace

GpuMarket market_of(const Catalog& catalog, std::string_view gpu, const std::vector<std::string>& regions) {
  GpuMarket best{.gpu = std::string{gpu}, .family = {}, .machine = {}, .region = {}};
  const auto type = catalog.find_gpu(gpu);
  if (!type) return best;
  const std::vector<std::string> families = catalog.families_of_gpu(*type);
  const auto try_in = [&](const std::string& region, bool is_wanted) {
    for (const std::string& family : families) {
      GpuMarket market = market_in(catalog, gpu, family, region);
      if (!market.any()) continue;
      if (is_wanted || market.on_demand) {
        best = std::move(market);
        return true;
      }
      if (!best.any()) best = std::move(market);
    }
    return false;
  };
  for (const std::string& name : regions) {
    const Place* place = catalog.find_place(name);
    if (place != nullptr && try_in(place->region, true)) return best;
  }
  if (try_in("us-central1", false)) return best;
  for (const Place& place : catalog.places()) {
    if (place.name == place.region && try_in(place.region, false)) return best;
  }
  return best;
}

}  // namespace stockout
