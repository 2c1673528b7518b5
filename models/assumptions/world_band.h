#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/comparison.h"
#include "models/experiment/verdict.h"

namespace stockout {

/// A comparison in one of the worlds that agree with a history.
struct WorldResult {
  std::string name;
  double weight = 0;  // of all worlds 1
  Comparison comparison;
  Verdict verdict;
};

/// Doubt from values that nobody publishes: the same strategies, on the same random numbers, in each of the
/// worlds that a calibration found.
struct WorldBand {
  std::vector<WorldResult> worlds;
  std::vector<double> best;  // by strategy: the weight of the worlds in which it is surely the answer
  double undecided = 0;      // of those in which the noise is larger than the difference
  double none = 0;           // of those in which no strategy meets the goals
  std::string sentence;      // how sure the answer is over the worlds
};

/// `agreement`: what they do, "agree with waits.csv". At least one world, all with the same strategies in the
/// same order.
[[nodiscard]] WorldBand make_world_band(std::vector<WorldResult> worlds, const std::string& agreement);

/// Value of a measure in one of the worlds.
struct WorldValue {
  double mean = 0;
  bool is_bound = false;  // it is longer than this

  friend auto operator<=>(const WorldValue&, const WorldValue&) = default;
};

/// The mean of a measure that worlds of so much of the weight do not exceed, of those that have one; a bound
/// counts as its value. Nothing where no world has one.
[[nodiscard]] std::optional<WorldValue> world_quantile(const WorldBand& band, std::size_t strategy,
                                                       Measure measure, double weight);

}  // namespace stockout
