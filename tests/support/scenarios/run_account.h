#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/world/world.h"

namespace stockout::test {

/// A run told by names instead of numbers: from what it is about ("job source-1 4", "pool pool-2") to what
/// became of it. So runs of worlds can be compared that differ in the order of things and in their names.
struct RunAccount {
  std::map<std::string, std::string> lines;

  /// Whether jobs of two sources did something at one pool or another in one instant: what came of that may
  /// hang on which source is the first.
  bool is_tied = false;
};

/// The account of the world under the strategy of that name. Names that renamed() has made are told as they
/// were before.
[[nodiscard]] RunAccount account_of(const World& world, const std::string& strategy);

/// Differences between the accounts, where both or only the first have something to say; empty: nothing.
[[nodiscard]] std::string differences(const RunAccount& before, const RunAccount& after);

/// Another name, the sooner in the alphabet the later its number: so that an order by name shows.
[[nodiscard]] std::string renamed(const std::string& name, std::size_t number);

}  // namespace stockout::test
