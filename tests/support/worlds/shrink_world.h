#pragma once

#include <functional>

#include "models/world/world.h"

namespace stockout::test {

/// Makes a failing world of trace sources smaller while it still fails: drops jobs, sources, legs, places,
/// pools and features one at a time until none can be dropped any more.
[[nodiscard]] World shrink_world(World world, const std::function<bool(const World&)>& still_fails);

}  // namespace stockout::test
