#include "models/scenario/buying/reservations.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/catalog/explain.h"
#include "models/scenario/buying/price_lines.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/supply/held_forms.h"
#include "models/scenario/supply/pools.h"
#include "models/scenario/workload/workload.h"
#include "models/supply/availability.h"
#include "sim/core/error_list.h"

namespace stockout {
namespace {

constexpr std::array kCommitmentPrices{PriceModel::on_demand, PriceModel::cud_1y, PriceModel::cud_3y};

const Policy& row_of(HeldModel model) {
  return *find_policy(kHeldModelNames[static_cast<std::size_t>(model)]);
}

// The zone pool a reservation comes out of: that of its place, or of its region if pools are by region.
std::size_t find_landlord(const Draft& draft, const HeldPool& held, const Place& place) {
  const auto& pools = draft.scenario.world.pools;
  for (const std::string& where : {place.name, place.region}) {
    const auto found = std::ranges::find_if(
        pools, [&](const Pool& pool) { return pool.family == held.pool.family && pool.place == where; });
    if (found != pools.end()) return static_cast<std::size_t>(found - pools.begin());
  }
  return pools.size();
}

// A reservation that its zone can never hold would cost nothing and serve nobody.
void check_fits(const Pool& zone, const HeldPool& held, const Node& node) {
  for (const CapacitySource& source : zone.capacity) {
    if (!source.classes[static_cast<std::size_t>(LeaseClass::reserved)]) continue;
    const GpuCount most = most_gpus(source);
    if (held.gpus <= most) continue;
    node.at("count").fail(
        fmt::format("{} machines are {} GPUs, and {} never has more than {}: reserve fewer, or say "
                    "\"added_supply\": true",
                    held.machines.count(), held.gpus.count(), zone.name, most.count()));
  }
}

HeldPool read_reservation(Draft& draft, const Node& node) {
  const auto model = node.choice<HeldModel>("model");
  const MachineId machine = find_machine(draft, node.at("machine"), node.text("machine"));
  const MachineType& type = draft.catalog.machine(machine);
  const Place& place = find_place(draft, node.at("place"));
  if (const std::string why = why_not(draft.catalog, machine, row_of(model).offer); !why.empty())
    node.at("machine").fail(why);
  if (const std::string why = why_not(draft.catalog, place, type.family); !why.empty())
    node.at("place").fail(why);
  HeldPool held;
  held.pool.name = node.text("name");
  held.pool.family = type.family;
  held.pool.place = place.name;
  fill(held, node);
  fill(held.pool, node);
  read_ageing(node, held.pool);
  held.machine = machine;
  held.machines = MachineCount{node.integer("count")};
  held.gpus = type.gpus * held.machines.count();
  if (held.gpus > kUnlimitedGpus) {
    node.at("count").fail(fmt::format("{} GPUs are more than the {} a pool may have", held.gpus.count(),
                                      kUnlimitedGpus.count()));
  }
  read_form(draft, node, model, held);
  const std::size_t landlord = find_landlord(draft, held, place);
  if (landlord == draft.world().pools.size() && !held.added_supply) {
    node.at("place").fail(
        fmt::format("no pool has {} in {}: add one (\"unlimited\": true if its room is no question), or say "
                    "\"added_supply\": true",
                    type.family, place.name));
  }
  if (!held.added_supply) {
    const Pool& zone = draft.world().pools[landlord];
    if (!held.scaling) check_fits(zone, held, node);
    held.pool.faults = zone.faults;
  }
  held.landlord = PoolId{static_cast<std::uint16_t>(landlord == draft.world().pools.size() ? 0 : landlord)};
  return held;
}

void add_price_lines(Draft& draft, const Node& node, PoolId id, HeldPool& held) {
  const auto held_as = node.choice<HeldModel>("model");
  const bool is_committed = held_as == HeldModel::reservation || held_as == HeldModel::future_reservation;
  const PriceModel model =
      is_committed ? kCommitmentPrices[node.at("commitment").choice_index()] : row_of(held_as).price;
  add_held_lines(draft, node.at("machine"), id, model, held);
}

}  // namespace

void build_reservations(Draft& draft) {
  World& world = draft.world();
  attempt_each(draft.root.list("reservations"), [&](const Node& node) {
    HeldPool held = read_reservation(draft, node);
    const PoolId id{static_cast<std::uint16_t>(world.pool_count())};
    const bool taken = std::ranges::find(world.pools, held.pool.name, &Pool::name) != world.pools.end();
    if (taken || !draft.reservations.emplace(held.pool.name, id).second) {
      node.at("name").fail(fmt::format("there is a pool or reservation \"{}\" already", held.pool.name));
    }
    draft.held_models.push_back(node.choice<HeldModel>("model"));
    world.held.push_back(std::move(held));
    add_price_lines(draft, node, id, world.held.back());
  });
}

}  // namespace stockout
