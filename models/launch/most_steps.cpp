#include "models/launch/most_steps.h"

#include <fmt/format.h>

#include "sim/core/duration_text.h"

namespace stockout {

InputError explain(const TooManySteps& error, const Scenario& scenario) {
  return InputError{
      {.file = scenario.file, .pointer = fmt::format("/strategies/{}", error.strategy())},
      fmt::format(
          "\"{}\" comes to {:.1g} steps (requests, leases, retries, preemptions) by {} of a window of {}; a "
          "run of more is not simulated: use a longer \"retry_interval\" or \"after\", fewer \"retries\" or "
          "\"restarts\", a \"max_wait\" of the jobs, fewer jobs, or a shorter window or \"drain_limit\"",
          scenario.world.strategies[error.strategy()].name, static_cast<double>(error.most()),
          format_duration(error.reached() - kStart), format_duration(scenario.world.window_end - kStart))};
}

}  // namespace stockout
