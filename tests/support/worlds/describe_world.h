#pragma once

#include <string>

#include "models/world/world.h"

namespace stockout::test {

/// A small world of trace sources in words, a line a thing, for a person who looks for the rule that broke.
[[nodiscard]] std::string describe_world(const World& world);

}  // namespace stockout::test
