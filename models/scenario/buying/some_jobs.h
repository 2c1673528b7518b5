#pragma once

#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"
#include "models/world/some_jobs.h"

namespace stockout {

/// Jobs of the `classes` and `users` that the object names; without them all. InputError for a name that no
/// job has.
[[nodiscard]] SomeJobs read_some_jobs(const Draft& draft, const Node& node);

}  // namespace stockout
