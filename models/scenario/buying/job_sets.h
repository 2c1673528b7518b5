#pragma once

#include <vector>

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// Of all jobs of the source, each once.
[[nodiscard]] std::vector<ClassId> classes_of(const Source& source);

/// Whether jobs of a set may use the leg.
[[nodiscard]] bool is_open_to_sets(const World& world, const Leg& leg);

/// InputError if jobs of sets would buy in a way that sets do not know: with fewer machines than they ask
/// for, in several places at once, in a race to the first boot, under a deadline rule, or submitted again.
void check_job_sets(const Draft& draft, const Node& node_of_strategy, const Strategy& strategy);

}  // namespace stockout
