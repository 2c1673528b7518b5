#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "models/scenario/scenario.h"

namespace stockout {

/// How exactly a comparison is to know its means: --precision and what goes with it, over the scenario's.
struct PrecisionArguments {
  std::string half_width;  // "2%"; empty: as the scenario says
  std::string of;          // names of measures, parted by commas; empty: as the scenario says
  std::optional<int> most;
  bool control_variates = false;

  /// This object must outlive the command, which has --replications already.
  void add_to(CLI::App& command);

  /// Puts what is asked into a scenario as it was read. Throws InputError.
  void apply(Scenario& scenario) const;
};

}  // namespace stockout
