#pragma once

#include <functional>

#include "tests/support/scenarios/random_scenario.h"

namespace stockout::test {

/// Makes a failing scenario file smaller while it still fails: drops items of lists and keys of objects, one
/// at a time and the outer ones first, until none can be dropped any more. What stays is as it was.
[[nodiscard]] Json shrink_scenario(Json file, const std::function<bool(const Json&)>& still_fails);

}  // namespace stockout::test
