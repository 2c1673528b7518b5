#pragma once

#include <string>

#include "models/experiment/comparison.h"
#include "models/experiment/run_observer.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// One run of a scenario that is ready to run, watched. Throws InputError that says what to make smaller if
/// it does not fit into memory, or comes to too many steps.
[[nodiscard]] Measures run_or_explain(const Scenario& scenario, const RunPlace& run, GroupBy by,
                                      RunObservers observers);

/// A comparison of nothing but this run, for a report.
[[nodiscard]] Comparison comparison_of(const Scenario& scenario, const RunPlace& run, Measures measured);

/// Headline of this run, which is all of the comparison: "spot, replication 3".
[[nodiscard]] std::string run_headline(const Scenario& scenario, const RunPlace& run);

}  // namespace stockout
