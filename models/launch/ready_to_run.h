#pragma once

#include <functional>

#include "models/scenario/scenario.h"

namespace stockout {

/// The scenario that `read` makes of the options. If it leaves its warm-up to a rule: the one with the
/// warm-up that a pilot has found (find_warm_up()). The files are then read twice. Throws what `read` throws,
/// and InputError if no warm-up is found.
[[nodiscard]] Scenario ready_to_run(ScenarioOptions options,
                                    const std::function<Scenario(const ScenarioOptions&)>& read);

}  // namespace stockout
