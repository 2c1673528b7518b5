#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "models/assumptions/world_band.h"
#include "models/calibration/world_set.h"
#include "tools/stockout/scenario_arguments.h"

namespace stockout {

/// The worlds that a command runs beside the one in their middle.
struct ChosenWorlds {
  ScenarioArguments as_written;  // of the scenario without any world
  std::string scenario;          // the name of the one that they belong to
  std::string file;
  std::string observed;  // the history that they agree with
  std::vector<CalibratedWorld> worlds;
};

inline constexpr std::size_t kDefaultWorlds = 20;

/// Reads a file of worlds, at most `most` of them, and puts the one in the middle into the scenario. Throws
/// InputError.
[[nodiscard]] ChosenWorlds choose_worlds(const std::string& file, std::size_t most,
                                         ScenarioArguments& scenario);

/// Reads the scenario in each of the worlds. Throws InputError if they belong to another scenario, for the
/// first that is none, or whose results could not be put beside the others, and if all are too much work.
void check_worlds(const ChosenWorlds& chosen, const Scenario& middle);

/// Compares the strategies in each world, one after another, as exactly as in the one in the middle.
[[nodiscard]] WorldBand run_worlds(const ChosenWorlds& chosen, const Scenario& middle,
                                   const std::function<Comparison(const Scenario&)>& compare_in);

}  // namespace stockout
