#pragma once

#include "models/world/world.h"

namespace stockout::reference {

/// The first instant at or after `at` at which somebody is in the office: Monday to Friday, local time of day
/// in [from, to). Both zero: `at` itself.
[[nodiscard]] SimTime next_office_time(const World& world, const Resubmission& office, SimTime at);

}  // namespace stockout::reference
