#include "models/recommend/purchase_worlds.h"

#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "models/scenario/load/places_apart.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace stockout {

PurchaseWorlds::PurchaseWorlds(std::vector<PurchaseWorld> worlds, std::vector<PlacedValue> middle)
    : worlds_{std::move(worlds)}, middle_{std::move(middle)}, turns_{}, firsts_{} {
  STOCKOUT_CHECK(!worlds_.empty());
  std::size_t in_common = 0;
  for (const PurchaseWorld& world : worlds_) {
    STOCKOUT_CHECK(world.turns > 0);
    in_common = std::gcd(in_common, world.turns);
  }
  for (std::size_t i = 0; i < worlds_.size(); ++i) {
    firsts_.push_back(turns_.size());
    worlds_[i].turns /= in_common;
    turns_.insert(turns_.end(), worlds_[i].turns, i);
  }
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
