#pragma once

#include <cstddef>

#include "models/experiment/comparison.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// Throws InputError if all strategies and replications of the scenario, `times` times over, are more work
/// than anyone waits for.
void check_total_work(const Scenario& scenario, std::size_t times = 1);

/// Every strategy of the scenario, as it says, on as many threads as the machine has cores.
[[nodiscard]] CompareOptions compare_options(const Scenario& scenario);

/// Compares strategies of a scenario that is ready to run. Throws InputError that says what to make smaller
/// if its runs do not fit into memory, or one of them comes to too many steps.
[[nodiscard]] Comparison compare_or_explain(const Scenario& scenario, const CompareOptions& options);

}  // namespace stockout
