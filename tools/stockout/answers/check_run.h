#pragma once

#include <optional>
#include <string>

#include "models/baseline/baseline_check.h"
#include "models/baseline/baseline_file.h"
#include "models/experiment/run_observer.h"
#include "tools/stockout/arguments/scenario_arguments.h"

namespace stockout {

/// Arguments of a check, whoever asks.
struct CheckArguments {
  ScenarioArguments scenario;
  std::string baseline;   // the file
  std::string tolerance;  // empty: as the baseline says
  bool update = false;    // the baseline is to be written
  int threads = 0;        // 0: as many as the machine has cores

  /// Throws InputError if it is none.
  [[nodiscard]] std::optional<Tolerance> asked_tolerance() const;
  /// Throws InputError if there is none, unless it is to be written.
  [[nodiscard]] std::optional<Baseline> read_if_there() const;
};

/// Measures of a scenario that is ready to run, as of now. Throws InputError.
[[nodiscard]] Baseline measure_now(const CheckArguments& arguments, const Scenario& scenario,
                                   RunObserver& watcher);

/// Changes when `now` takes the place of `then`, whose tolerances it keeps.
[[nodiscard]] BaselineCheck accept_baseline(const std::optional<Baseline>& then, Baseline& now);

}  // namespace stockout
