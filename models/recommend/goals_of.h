#pragma once

#include <span>
#include <vector>

#include "models/measures/goal.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// The goals of a scenario: `goal`, then `goals`.
[[nodiscard]] std::vector<Goal> goals_of(const Scenario& scenario);

/// Adds to what is asked of all jobs the same of each class, where there are several, and returns all of
/// them.
std::span<const Goal> with_classes(const Scenario& scenario, std::vector<Goal>& goals);

}  // namespace stockout
