#pragma once

#include "tests/validation/poisson_world.h"

namespace stockout::test {

/// poisson_world() whose recorded jobs meet a pool in its steady state: for `warm_up` mean service times
/// before the window, jobs of the same law come as tenants and buy in the same way. The window has
/// `pool.jobs` jobs on average and nothing else; `pool.warm_up` is not used.
[[nodiscard]] World steady_world(PoissonPool pool, double warm_up);

}  // namespace stockout::test
