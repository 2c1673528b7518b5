#pragma once

#include <functional>

#include "models/scenario/scenario.h"

namespace stockout {

/// What `read` makes of the options, and if that leaves its warm-up to a rule: what it makes of them with the
/// warm-up that a pilot has found (find_warm_up()). The files are then read twice. Throws what `read` throws,
/// and InputError if no warm-up is found.
[[nodiscard]] Scenario ready_to_run(ScenarioOptions options,
                                    const std::function<Scenario(const ScenarioOptions&)>& read);

}  // namespace stockout
