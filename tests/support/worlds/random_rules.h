#pragma once

#include <cstdint>

#include "models/world/world.h"

namespace stockout::test {

/// Rules that only some random worlds have, each in its share of them and some together.
struct Rules {
  bool rates = false;        // work takes more or less time in other places
  bool queue_order = false;  // flex before on-demand, room that gathers for the head of the queue
  bool open_limits = false;  // so many open requests at most
  bool prices = false;       // cheapest first
  bool first_boot = false;
  bool hosts = false;
  bool partial = false;
  bool spread = false;
};

/// Those of the world of this seed.
[[nodiscard]] Rules drawn_rules(std::uint64_t seed);

/// Adds the rules to a world that has none of them, and quotas to some worlds, with random numbers of their
/// own: what the seed means otherwise does not change by it. `unit`: times are multiples of it.
void add_rules(World& world, const Rules& rules, SimDuration unit);

}  // namespace stockout::test
