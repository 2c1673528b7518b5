#pragma once

#include <cstdint>
#include <vector>

#include "models/world/world.h"

namespace stockout::reference {

/// A job that takes part in the run.
struct Arrival {
  Job job;
  bool recorded = false;
  std::size_t strategy = 0;  // recorded: of the world; a tenant: of its source
};

/// What identifies a job in random draws: its source and its row there.
[[nodiscard]] std::uint64_t draw_entity(const Job& job);

/// All jobs that may arrive up to `limit`: those of ordinary sources that are submitted in the window, and
/// tenants from the run's begin on. Times are floored to the grid; in order of (submit, source), each source
/// in its own order.
[[nodiscard]] std::vector<Arrival> all_jobs(const World& world, std::size_t strategy, Dice dice,
                                            SimTime limit);

}  // namespace stockout::reference
