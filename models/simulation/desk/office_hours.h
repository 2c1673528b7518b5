#pragma once

#include "models/consumption/strategy.h"
#include "models/world/world.h"
#include "sim/core/time.h"

namespace stockout {

/// `at`, or if the rule has office hours the next time within them: Monday to Friday, by the clock of the
/// world's place.
[[nodiscard]] SimTime next_office_hour(const World& world, SimTime at, const Resubmission& rule);

}  // namespace stockout
