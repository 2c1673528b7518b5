#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/strategy_result.h"
#include "models/measures/measures.h"
#include "models/world/world.h"

namespace stockout {

/// All strategies of a world over the same workload and the same random numbers.
struct Comparison {
  std::size_t replications = 1;  // that were asked for
  std::vector<StrategyResult> strategies;
  std::uint64_t fingerprint = 0;  // of all runs: equal comparisons have equal ones
};

/// Of all runs of all strategies, in order.
[[nodiscard]] std::uint64_t fingerprint_of(const std::vector<StrategyResult>& strategies);

struct CompareOptions {
  std::vector<std::size_t> strategies;  // of the world; empty: all
  std::size_t replications = 1;         // at least 1
  int threads = 0;                      // 0: as many as the machine has
  GroupBy by = GroupBy::nothing;
  std::optional<WaitGoal> goal;
  SimDuration between = kConsecutiveWithin;
  const BillTerms* terms = nullptr;
  /// Called with each run before its record is dropped, from any thread, several at a time. `strategy` is its
  /// place in the world.
  std::function<void(std::size_t strategy, std::size_t replication, const RunRecord& record,
                     const Measures& measures)>
      look_at_run;
  std::function<void(std::size_t done, std::size_t of)>
      progress;  // called after each run, from any thread, one at a time
  std::function<void(std::size_t strategy, std::size_t replication, Measures& run)> observe =
      {};  // called with each run, one at a time, a strategy's replications in order, before it is
           // summed up; Measures::use is there to be taken
};

/// Runs every strategy `replications` times, and once if its first run made no draw, since all others would
/// be the same. The same bits whatever the number of threads. Each run is summed up as soon as those before
/// it are: the results that wait are about as many as there are threads.
[[nodiscard]] Comparison compare(const World& world, const CompareOptions& options);

}  // namespace stockout
