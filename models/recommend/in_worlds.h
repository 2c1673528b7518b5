#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/stats/interval.h"

namespace stockout {

/// How a purchase fares in one of the worlds, on average over its runs there.
struct InWorld {
  double cost = 0;                           // USD
  std::vector<std::optional<double>> goals;  // by goal: the values that were met; none: no job of it came
};

/// That of all worlds, out of runs in any order of the worlds.
class RunningInWorlds {
 public:
  RunningInWorlds(std::size_t worlds, std::size_t goals)
      : costs_(worlds), goals_(worlds, std::vector<RunningEstimate>(goals)) {}

  /// `goals` has as many values as there are goals.
  void add(std::size_t world, double cost, std::span<const std::optional<double>> goals);
  /// By world; each has had a run.
  [[nodiscard]] std::vector<InWorld> result() const;

 private:
  std::vector<RunningEstimate> costs_;               // by world
  std::vector<std::vector<RunningEstimate>> goals_;  // by world and goal
};

}  // namespace stockout
