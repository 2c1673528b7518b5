#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "models/recommend/purchase_worlds.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// Something that can be bought: a strategy, under one combination of choices.
struct Purchase {
  std::size_t point = 0;     // the combination; the first of those under which the strategy is the same
  std::size_t strategy = 0;  // of its scenario's world
  std::vector<std::size_t> decided;  // the decisions that touch the strategy
  SimDuration term{};                // the longest of the commitments that it begins; 0: none
};

/// A combination of choices whose scenario is refused, and why.
struct RefusedPoint {
  std::size_t point = 0;
  std::string why;
};

/// Every combination of the choices of some decisions, numbered from 0: the last decision changes fastest.
class ChoiceGrid {
 public:
  /// Throws InputError, of `file`, for more than kMostPoints combinations.
  ChoiceGrid(std::vector<DecisionVariable> decisions, const std::string& file);

  static constexpr std::size_t kMostPoints = 10'000;

  [[nodiscard]] const std::vector<DecisionVariable>& decisions() const { return decisions_; }
  [[nodiscard]] std::size_t points() const { return points_; }
  /// By decision.
  [[nodiscard]] std::vector<std::size_t> choices(std::size_t point) const;
  /// Values that the point puts into the scenario.
  [[nodiscard]] std::vector<PlacedValue> changes(std::size_t point) const;

 private:
  std::vector<DecisionVariable> decisions_;
  std::size_t points_ = 1;
};

/// Reads the scenario with some values put into it, ready to run.
using LoadPoint = std::function<Scenario(const std::vector<PlacedValue>&)>;

/// All that can be bought: the strategies of a scenario under every combination of its choices.
class Purchases {
 public:
  /// Reads every scenario, in every world; `progress` hears of each combination. A strategy that a decision
  /// does not touch is there once. A combination that is refused in one of the worlds is refused. Throws
  /// InputError if none is accepted, if there are too many, and if a decision changes what a world does.
  Purchases(const Scenario& written, const LoadPoint& load, const std::function<void(std::size_t)>& progress,
            PurchaseWorlds worlds = {});

  [[nodiscard]] const ChoiceGrid& grid() const { return grid_; }
  [[nodiscard]] const std::vector<Purchase>& all() const { return purchases_; }
  [[nodiscard]] const std::vector<RefusedPoint>& refused() const { return refused_; }
  [[nodiscard]] const PurchaseWorlds& worlds() const { return worlds_; }
  /// In the world in the middle; without worlds as it is written.
  [[nodiscard]] const Scenario& scenario(const Purchase& of) const { return scenarios_[of.point].front(); }
  /// In the world of a replication.
  [[nodiscard]] const Scenario& scenario(const Purchase& of, std::size_t replication) const;

  /// The strategy, and the choices that touch it: "reserved, wait; reserved H100: 4".
  [[nodiscard]] std::string name(const Purchase& purchase) const;

 private:
  [[nodiscard]] std::vector<Scenario> read_point(std::size_t point, const LoadPoint& load) const;
  void note_touched(const World& world);
  void add_strategies(std::size_t point);

  ChoiceGrid grid_;
  PurchaseWorlds worlds_;
  std::vector<std::vector<Scenario>> scenarios_;  // by point, in the middle, then by world; none: refused
  std::vector<Purchase> purchases_;
  std::vector<RefusedPoint> refused_;
  std::vector<std::set<std::size_t>> touching_;  // by strategy: the decisions that do, under any combination
  std::set<std::vector<std::size_t>> seen_;      // of each purchase the strategy, then its choices
};

/// Whether a value in the place of another can change what a strategy does or costs. What only other
/// strategies name cannot: a reservation, and a strategy itself.
[[nodiscard]] bool touches(const PlacedValue& change, const World& world, std::size_t strategy);

}  // namespace stockout
