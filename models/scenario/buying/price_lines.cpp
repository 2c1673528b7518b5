#include "models/scenario/buying/price_lines.h"

#include "models/scenario/buying/prices.h"
#include "models/scenario/supply/pools.h"

namespace stockout {
namespace {

PriceLineId add_line(Draft& draft, PriceLine line) {
  auto& lines = draft.world().price_lines;
  lines.push_back(std::move(line));
  return PriceLineId{static_cast<std::uint32_t>(lines.size() - 1)};
}

PriceLine line_of(const Draft& draft, const Node& node, PoolId pool, MachineId machine, PriceModel model,
                  Charge charge) {
  const std::string& region = region_of(draft, draft.scenario.world.pool(pool));
  const PriceUse use = charge == Charge::direct ? PriceUse::leased : PriceUse::held;
  PriceLine line = region_price_line(draft, node, region, machine, model, use);
  line.pool = pool;
  line.charge = charge;
  return line;
}

PriceLineId add_fee(Draft& draft, const Node& node, PoolId pool, MachineId machine, Charge charge) {
  return add_line(draft, line_of(draft, node, pool, machine, PriceModel::management_fee, charge));
}

void set_fee(Draft& draft, PriceLineId line, PriceLineId fee) {
  draft.world().price_lines[index(line)].fee = fee;
}

// Jobs that share a machine are counted by GPUs. Rounded down, so that uses never add up to more than is
// held.
void count_by_gpu(const HeldPool& held, PriceLine& line) {
  if (!held.share || held.machines == MachineCount{}) return;
  const std::int64_t gpus = held.machine_gpus().count();
  for (PriceStep& step : line.steps) {
    step.list = MachineHourPrice{step.list.count() / gpus};
    step.contracted = MachineHourPrice{step.contracted.count() / gpus};
  }
}

PriceLineId add_fee_of_use(Draft& draft, const Node& node, PoolId pool, Charge charge) {
  const HeldPool& held = draft.world().held_pool(pool);
  const PriceLineId fee = add_fee(draft, node, pool, held.machine, charge);
  count_by_gpu(held, draft.world().price_lines[index(fee)]);
  return fee;
}

}  // namespace

PriceLineId zone_price_line(Draft& draft, const Node& node, PoolId pool, MachineId machine, PriceModel model,
                            bool with_fee) {
  const auto key = std::tuple{pool, machine, model, with_fee};
  if (const auto known = draft.price_lines.find(key); known != draft.price_lines.end()) return known->second;
  PriceLine line = line_of(draft, node, pool, machine, model, Charge::direct);
  const PriceLineId id = add_line(draft, std::move(line));
  draft.price_lines.emplace(key, id);
  if (with_fee) set_fee(draft, id, add_fee(draft, node, pool, machine, Charge::direct));
  return id;
}

void add_held_lines(Draft& draft, const Node& node, PoolId pool, PriceModel model, HeldPool& held) {
  PriceLine line = line_of(draft, node, pool, held.machine, model, Charge::held);
  PriceLine sublet = line;
  sublet.charge = Charge::sublet;
  count_by_gpu(held, sublet);
  held.line = add_line(draft, std::move(line));
  held.sublet = add_line(draft, std::move(sublet));
  if (!held.is_persistent_resource()) return;
  set_fee(draft, held.line, add_fee(draft, node, pool, held.machine, Charge::held));
  set_fee(draft, held.sublet, add_fee_of_use(draft, node, pool, Charge::sublet));
}

PriceLineId sublet_price_line(Draft& draft, const Node& node, PoolId pool, bool with_fee) {
  const HeldPool& held = draft.world().held_pool(pool);
  if (!with_fee || held.is_persistent_resource()) return held.sublet;
  PriceLine line = draft.world().price_lines[index(held.sublet)];
  const auto key = std::tuple{pool, held.machine, line.model, true};
  if (const auto known = draft.price_lines.find(key); known != draft.price_lines.end()) return known->second;
  const PriceLineId id = add_line(draft, std::move(line));
  draft.price_lines.emplace(key, id);
  set_fee(draft, id, add_fee_of_use(draft, node, pool, Charge::direct));
  return id;
}

}  // namespace stockout
