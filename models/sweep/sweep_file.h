#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/catalog/catalog.h"
#include "models/scenario/draft/scenario_cache.h"
#include "models/scenario/scenario.h"
#include "models/sweep/design.h"
#include "models/sweep/sweep_worlds.h"

namespace stockout {

/// A sweep file, read and checked.
struct Sweep {
  std::string file;  // as named on the command line
  std::string text;
  std::string name;
  std::string scenario_file;  // its path
  std::string scenario_text;
  std::vector<std::string> price_files;  // of the planner's own prices, after the scenario's
  std::string price_text;                // what is in them
  std::optional<int> replications;
  std::optional<std::uint64_t> seed;
  Design design;
  SweepWorlds worlds = {};  // put in by whoever has some

  /// "scenarios/sweeps/", or empty.
  [[nodiscard]] std::string folder() const { return file.substr(0, file.rfind('/') + 1); }
};

/// Reads the file and its scenario, and holds every value that is varied against the scenario's spec: a
/// pointer that names no place, an unknown key, a wrong kind or range is an InputError here. What only
/// building the scenario of a point shows is found at the point. `price_files` are put on top of the prices
/// of every point.
[[nodiscard]] Sweep read_sweep(const std::string& path, const std::vector<std::string>& price_files = {});

/// The scenario as it is, without any value of the sweep: for a look, not to run. Throws InputError if it is
/// not right by itself. `world`: values that are put into it last.
[[nodiscard]] Scenario base_scenario(const Sweep& sweep, const Catalog& catalog, ScenarioCache& cache,
                                     const std::vector<PlacedValue>& world = {});

/// The scenario of a point, ready to run, with the values of a world. Throws InputError if it is refused.
[[nodiscard]] Scenario point_scenario(const Sweep& sweep, std::size_t point, const Catalog& catalog,
                                      ScenarioCache& cache, const std::vector<PlacedValue>& world = {});

}  // namespace stockout
