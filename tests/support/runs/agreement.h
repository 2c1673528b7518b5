#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/simulation/simulate.h"
#include "models/world/world.h"
#include "tests/support/reference/reference.h"

namespace stockout::test {

/// A run by simulate(), and the same run by the second implementation.
struct BothRuns {
  RunRecord record;
  std::vector<LeaseRow> leases;  // sorted by (job, granted)
  reference::ReferenceResult reference;
  std::string
      disagreement;  // the first differences, one a line; empty: they agree on everything that is compared
};

/// Runs the strategy both ways and compares every job's state and times, every lease, all usage, the books of
/// pools and the run's end. An exception of either implementation is a disagreement too.
[[nodiscard]] BothRuns run_both(const World& world, std::size_t strategy, std::uint64_t replication = 0);

/// Runs the last strategy of a random world both ways, in replication 0, 1 or 2 according to its seed.
[[nodiscard]] std::string disagreement(const World& world);

}  // namespace stockout::test
