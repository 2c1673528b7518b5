#pragma once

#include <cstddef>
#include <cstdint>

#include "models/simulation/simulate.h"
#include "models/world/world.h"

namespace stockout {

/// Looks at a run now and then: tells Logs::on_time how far it is, and ends it if it comes to more steps
/// than World::most_steps.
class Pace {
 public:
  /// `world` and `logs` must outlive it; `strategy`: its number in the world.
  Pace(const World& world, std::size_t strategy, const Logs& logs);

  /// How many steps more there may be before it will look closely.
  [[nodiscard]] std::uint64_t left(std::uint64_t steps) const {
    return steps < next_look_ ? next_look_ - steps : 0;
  }
  /// To be asked at each instant. `steps`: how many there were so far.
  void look(SimTime now, std::uint64_t steps) {
    if (steps >= next_look_) look_closely(now, steps);
  }

 private:
  void look_closely(SimTime now, std::uint64_t steps);

  const World& world_;
  const Logs& logs_;
  std::size_t strategy_;
  std::uint64_t next_look_;
};

}  // namespace stockout
