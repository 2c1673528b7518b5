#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

/// The jobs that Kueue may admit with fewer pods (`partial_admission` of `kueue`), and the shapes that they
/// may get: those of World::shapes, each with every smaller number of nodes that will do. After the workload
/// and the queues, before the strategies, whose legs have places for them. InputError if there are too many.
void read_partial_admission(Draft& draft, const Node& kueue);

}  // namespace stockout
