#pragma once

#include <functional>

#include "models/experiment/comparison.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// Throws InputError if all strategies and replications of the scenario, `times` times over, are more work
/// than anyone waits for.
void check_total_work(const Scenario& scenario, std::size_t times = 1);

/// What `compare` gives; InputError that says what to make smaller if the runs of the scenario do not fit
/// into memory, or one of them comes to too many steps.
[[nodiscard]] Comparison compare_or_explain(const Scenario& scenario,
                                            const std::function<Comparison()>& compare);

}  // namespace stockout
