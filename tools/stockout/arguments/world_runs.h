#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "models/assumptions/world_band.h"
#include "models/calibration/world_set.h"
#include "models/experiment/world_turns.h"
#include "tools/stockout/arguments/scenario_arguments.h"

namespace stockout {

/// The worlds that a command runs beside the one in their middle.
struct ChosenWorlds {
  ScenarioArguments as_written;  // of the scenario without any world
  std::string file;
  std::string agreement;   // with the history: agreement_text()
  std::size_t in_all = 0;  // worlds in the file
  std::size_t most = 0;    // that were to be taken; weights are multiples of 1 / most
  std::vector<CalibratedWorld> worlds;
};

/// How they take turns over replications, by weight.
[[nodiscard]] WorldTurns turns_of(const ChosenWorlds& chosen);

inline constexpr std::size_t kDefaultWorlds = 20;

/// Assumption about a scenario in the world in the middle.
[[nodiscard]] std::string middle_assumption(const std::string& file);

/// Adds --worlds, of that meaning, and --most-worlds to a command. Returns --worlds.
CLI::Option* add_worlds_options(CLI::App& command, const std::string& meaning, std::string& file,
                                std::size_t& most);

/// Reads a file of worlds, at most `most` of them, and puts the one in the middle into the scenario. Throws
/// InputError, also if they belong to another scenario.
[[nodiscard]] ChosenWorlds choose_worlds(const std::string& file, std::size_t most,
                                         ScenarioArguments& scenario);

/// Reads the scenario in each of the worlds. Throws InputError for the first that is none, or whose results
/// could not be put beside the others, and if all are too much work.
void check_worlds(const ChosenWorlds& chosen, const Scenario& middle);

/// Compares the strategies in each world, one after another, as exactly as in the one in the middle.
[[nodiscard]] WorldBand run_worlds(const ChosenWorlds& chosen, const Scenario& middle,
                                   const std::function<Comparison(const Scenario&)>& compare_in);

}  // namespace stockout
