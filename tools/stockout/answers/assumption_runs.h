#pragma once

#include <functional>

#include "models/assumptions/assumption_band.h"
#include "tools/stockout/arguments/scenario_arguments.h"

namespace stockout {

/// Gives a scenario that lists no alternatives the usual ones, and says so among what it assumes.
void add_usual_alternatives(const ScenarioArguments& arguments, Scenario& written);

/// Reads the scenario under each of its alternatives. Throws InputError for the first that is not sound, if
/// there are none, and if all of them are too much work.
void check_alternatives(const ScenarioArguments& arguments, const Scenario& written);

/// Compares the strategies under each alternative, one after another. `compare_in` does it for one scenario,
/// on the same random numbers, and to the same precision, as it was done as written.
[[nodiscard]] AssumptionBand run_alternatives(const ScenarioArguments& arguments, const Scenario& written,
                                              const Comparison& comparison, const Verdict& verdict,
                                              const std::function<Comparison(const Scenario&)>& compare_in);

}  // namespace stockout
