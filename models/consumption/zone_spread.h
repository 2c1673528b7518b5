#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/consumption/strategy.h"

namespace stockout {

/// How many machines a gang gets in each place, where `free` says how many each has room for, at least 0. It
/// asks for `most`, and `least` will do, from 1 to `most`. Empty: there are fewer. `any` takes as few places
/// as it can: the roomiest first. `balanced` gives one after the other to the place that has the fewest and
/// room for it. Ties go to the place listed first. `any_single_zone` takes all from the first place that has
/// room for `least`.
[[nodiscard]] std::vector<std::int64_t> spread_machines(Spread rule, std::span<const std::int64_t> free,
                                                        std::int64_t least, std::int64_t most);

}  // namespace stockout
