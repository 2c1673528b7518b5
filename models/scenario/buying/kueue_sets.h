#pragma once

#include "models/scenario/draft/draft.h"
#include "models/world/world.h"

namespace stockout {

/// Whether jobs of the class are of sets.
[[nodiscard]] bool is_class_of_sets(const World& world, ClassId job_class);

/// InputError if jobs of a set would go to several local queues of Kueue, or differ in priority. Warns of
/// partial admission that is for jobs of sets alone.
void check_sets_under_kueue(Draft& draft);

}  // namespace stockout
