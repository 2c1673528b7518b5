#pragma once

#include "models/scenario/scenario.h"
#include "models/simulation/simulate.h"
#include "sim/core/error.h"

namespace stockout {

/// The same for whoever wrote the scenario: which strategy, how far the run came, and how to make it shorter.
[[nodiscard]] InputError explain(const TooManySteps& error, const Scenario& scenario);

/// Does `run`, which simulates the scenario, and returns what it returns. Throws InputError if a run comes to
/// too many steps.
template <typename Run>
auto in_most_steps(const Scenario& scenario, Run run) {
  try {
    return run();
  } catch (const TooManySteps& error) {
    throw explain(error, scenario);
  }
}

}  // namespace stockout
