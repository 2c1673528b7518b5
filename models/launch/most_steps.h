#pragma once

#include "models/scenario/scenario.h"
#include "models/simulation/simulate.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace stockout {

/// The same for whoever wrote the scenario: which strategy, how far the run came, and how to make it shorter.
[[nodiscard]] InputError explain(const TooManySteps& error, const Scenario& scenario);

/// Does `run`, which simulates a scenario that is ready to run, and returns what it returns. Throws
/// InputError if a run comes to too many steps.
template <typename Run>
auto in_most_steps(const Scenario& scenario, Run run) {
  STOCKOUT_CHECK(!scenario.warm_up_to_find);
  try {
    return run();
  } catch (const TooManySteps& error) {
    throw explain(error, scenario);
  }
}

}  // namespace stockout
