#include "models/simulation/pace.h"

#include <algorithm>
#include <utility>

namespace stockout {
namespace {

constexpr std::uint64_t kBetweenLooks = 1 << 14;  // steps: some milliseconds

}  // namespace

Pace::Pace(const World& world, std::size_t strategy, const Logs& logs)
    : world_{world},
      logs_{logs},
      strategy_{strategy},
      next_look_{std::min(kBetweenLooks, world.most_steps)} {}

void Pace::look_closely(SimTime now, std::uint64_t steps) {
  if (steps >= world_.most_steps) throw TooManySteps{strategy_, world_.most_steps, now};
  if (logs_.on_time) logs_.on_time(now);
  next_look_ = std::min(steps + kBetweenLooks, world_.most_steps);
}

}  // namespace stockout
