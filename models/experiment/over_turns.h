#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "models/experiment/comparison.h"
#include "models/experiment/run_observer.h"
#include "models/experiment/world_turns.h"

namespace stockout {

/// Question to a comparison over worlds that take turns.
struct OverTurnsOptions {
  std::size_t replications = 1;  // whole rounds, at least one
  int threads = 0;               // 0: as many as the machine has
  std::vector<AskedGoal> goals = {};
};

/// Simulates a run in one of the worlds, a place in WorldTurns::in_round(), without groups. May be called
/// from several threads.
using MeasureInWorld = std::function<Measures(std::size_t world, const RunPlace& run)>;

/// The replications of a round as one observation: of each measure the mean over those that have one; of a
/// sum over all of them, and none where one lacks it. A bound from below if any of them is one. Of the rest
/// only goals, classes, whether any of them drew, and the fingerprint. At least one.
[[nodiscard]] Measures mean_of_round(const std::vector<const Measures*>& round);

/// Compares the strategies of several worlds as one: their replications take turns through the worlds, each
/// in the same world and with the same luck for all strategies. **A round is the unit of observation**:
/// rounds are independent and alike, the replications in one are not. So an interval is one of the mean over
/// noise and worlds, and there is none of a single round. `replications` of the comparison and of its
/// strategies are rounds. A strategy that draws nothing in a world is run there once; one that draws nowhere
/// has one round.
///
/// `any`: one of the worlds; all have the same strategies and classes. The same bits whatever the threads.
[[nodiscard]] Comparison compare_over_turns(const World& any, const WorldTurns& turns,
                                            const OverTurnsOptions& options, const MeasureInWorld& measure);

}  // namespace stockout
