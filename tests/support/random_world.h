#pragma once

#include <cstdint>

#include "models/world/world.h"

namespace stockout::test {

/// A small world made of everything the simulation knows, at random: at most 8 recorded jobs, a few tenants,
/// at most 4 pools. Times are small multiples of one unit, so that much happens in one instant. Valid in the
/// sense in which a read scenario is. The last strategy is the one to run. The same seed always gives the
/// same world.
[[nodiscard]] World random_world(std::uint64_t seed);

/// Rules of the simulation that a world may be freed of.
struct Rules {
  bool moved_ends = true;    // a grid
  bool bounded_keep = true;  // `keep` beside a maximum wait of the model
  bool health_tests = true;
  bool faults = true;
  bool windows = true;  // held pools with an `until`
  bool bookings = true;
  bool elastic_pools = true;
  bool deadline_rules = true;
};

/// The world without what `rules` leaves out; all else is as it was.
[[nodiscard]] World with_rules(World world, const Rules& rules);

}  // namespace stockout::test
