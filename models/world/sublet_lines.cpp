#include "models/world/sublet_lines.h"

namespace stockout {

std::vector<PriceLineId> sublet_lines(const World& world, const HeldPool& held) {
  const PoolId pool = world.price_lines[index(held.sublet)].pool;
  std::vector<PriceLineId> lines;
  for (std::size_t i = 0; i < world.price_lines.size(); ++i) {
    const PriceLine& line = world.price_lines[i];
    if (line.charge == Charge::sublet && line.pool == pool && line.model != PriceModel::management_fee)
      lines.push_back(PriceLineId{static_cast<std::uint32_t>(i)});
  }
  return lines;
}

}  // namespace stockout
