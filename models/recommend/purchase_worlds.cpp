#include "models/recommend/purchase_worlds.h"

#include <utility>

#include <fmt/format.h>

#include "models/scenario/load/places_apart.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

WorldTurns turns_of(const std::vector<PurchaseWorld>& worlds) {
  std::vector<std::size_t> turns;
  for (const PurchaseWorld& world : worlds) turns.push_back(world.turns);
  return WorldTurns{std::move(turns)};
}

}  // namespace

PurchaseWorlds::PurchaseWorlds(std::vector<PurchaseWorld> worlds, std::vector<PlacedValue> middle)
    : worlds_{std::move(worlds)}, middle_{std::move(middle)}, turns_{turns_of(worlds_)} {
  for (std::size_t i = 0; i < worlds_.size(); ++i) worlds_[i].turns = turns_.in_round()[i];
}

void check_known(const std::vector<DecisionVariable>& decisions, const PurchaseWorlds& worlds,
                 const std::string& file) {
  std::vector<NamedPlaces> places{{.name = "the worlds", .pointers = {}}};
  for (const PurchaseWorld& world : worlds.all()) {
    for (const PlacedValue& change : world.changes) places.front().pointers.push_back(change.pointer);
  }
  for (const DecisionVariable& decision : decisions) places.push_back(places_of(decision));
  if (const auto shared = shared_place(places)) {
    throw InputError{{.file = file, .pointer = "/decide"},
                     fmt::format("{}: a place is decided or unknown, not both", *shared)};
  }
}

}  // namespace stockout
