#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "models/calibration/calibration.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/calibration/recorded_history.h"
#include "tools/stockout/terminal/console.h"
#include "tools/stockout/traces/trace_arguments.h"

namespace stockout {

/// Adds --observed, of that meaning, --observed-format and --observed-zone to a command, and returns the
/// first. `record` must outlive it.
CLI::Option* add_observed_to(CLI::App& command, const std::string& meaning, TraceArguments& record);

/// The arguments of every command that holds a scenario against a history.
struct ObservedArguments {
  TraceArguments record{.file = {}, .format = {}, .prefix = "--observed-"};
  std::string strategy;

  /// Adds --observed, --observed-format, --observed-zone and --strategy to a command. This object must
  /// outlive it.
  void add_to(CLI::App& command);

  /// The strategy under which the history came about: the one that is named, or the only one. Throws
  /// InputError.
  [[nodiscard]] std::size_t strategy_of(const Scenario& scenario) const;

  /// Reads the history; on a terminal it says how far. The scenario outlives the result.
  [[nodiscard]] RecordedHistory read(const Scenario& scenario, Console& console) const;
};

/// How long a calibration takes.
struct CalibrationArguments {
  std::size_t runs = 1'000;
  int threads = 0;

  /// Adds --runs and --threads.
  void add_to(CLI::App& command);
};

/// Subject of a calibration. All of it outlives the call.
struct CalibrationTask {
  const ScenarioArguments& scenario;
  const Scenario& written;
  std::size_t strategy = 0;
  const HistoryJobs& history;
  std::vector<PlacedValue> placed = {};  // put into every world
  CalibrationStore* store = nullptr;     // if there is one
};

/// Does it; on a terminal it says how far it is.
[[nodiscard]] Calibration run_calibration(const CalibrationTask& task, const CalibrationArguments& arguments,
                                          Console& console);

}  // namespace stockout
