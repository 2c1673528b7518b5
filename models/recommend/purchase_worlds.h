#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/experiment/world_turns.h"
#include "models/scenario/format/decision.h"
#include "models/scenario/format/placed_value.h"

namespace stockout {

/// A world in which a purchase may find itself.
struct PurchaseWorld {
  std::string name;
  std::size_t turns = 1;  // against the others: how often it has its turn; at least 1
  std::vector<PlacedValue> changes;
};

/// The worlds that purchases are judged over. They take turns: in every round of replications each has as
/// many as its weight says. A replication is in the same world for all purchases.
class PurchaseWorlds {
 public:
  /// The scenario as it is written, and nothing else.
  PurchaseWorlds() = default;
  /// At least one world. `middle`: the changes of the world that stands for all where one has to.
  PurchaseWorlds(std::vector<PurchaseWorld> worlds, std::vector<PlacedValue> middle);

  /// Empty: the scenario as it is written.
  [[nodiscard]] const std::vector<PurchaseWorld>& all() const { return worlds_; }
  [[nodiscard]] const std::vector<PlacedValue>& middle() const { return middle_; }
  /// How many replications a round has.
  [[nodiscard]] std::size_t round() const { return turns_.round(); }
  /// Place in all(); 0 of the scenario as it is written.
  [[nodiscard]] std::size_t world_of(std::size_t replication) const { return turns_.world_of(replication); }
  /// The first replication in the world of this one.
  [[nodiscard]] std::size_t first_alike(std::size_t replication) const {
    return turns_.first_alike(replication);
  }

 private:
  std::vector<PurchaseWorld> worlds_;
  std::vector<PlacedValue> middle_;
  WorldTurns turns_;
};

/// Throws InputError, at `decide` of `file`, if a decision and a world change the same place.
void check_known(const std::vector<DecisionVariable>& decisions, const PurchaseWorlds& worlds,
                 const std::string& file);

}  // namespace stockout
