#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/demand_controls.h"
#include "models/experiment/run_observer.h"
#include "models/experiment/stopping.h"
#include "models/experiment/strategy_result.h"
#include "models/measures/measures.h"
#include "models/world/world.h"

namespace stockout {

/// Control variates of a comparison.
struct ControlsUsed {
  std::vector<Control> controls;  // empty: nothing drawn has a known expectation
  std::vector<Surplus> surplus;   // by replication, as DemandControls has it

  /// Whether there are enough replications to adjust by.
  [[nodiscard]] bool adjust() const { return !controls.empty() && surplus.size() >= kLeastControlled; }
};

/// All strategies of a world over the same workload and the same random numbers.
struct Comparison {
  std::size_t replications = 1;  // that were asked for, or where the precision asked for ended them
  std::vector<StrategyResult> strategies;
  std::vector<AskedGoal> goals;               // as asked, beside the wait goal
  std::uint64_t fingerprint = 0;              // of all runs: equal comparisons have equal ones
  std::optional<PrecisionReached> precision;  // if it was asked for
  std::optional<ControlsUsed> controls;       // if they were asked for
};

/// Of all runs of all strategies, in order.
[[nodiscard]] std::uint64_t fingerprint_of(const std::vector<StrategyResult>& strategies);

struct CompareOptions {
  std::vector<std::size_t> strategies;  // of the world; empty: all
  std::size_t replications = 1;         // at least 1
  int threads = 0;                      // 0: as many as the machine has
  GroupBy by = GroupBy::nothing;
  std::optional<WaitGoal> goal;
  std::vector<AskedGoal> goals = {};  // beside it
  SimDuration between = kConsecutiveWithin;
  const BillTerms* terms = nullptr;
  std::optional<Precision> precision = std::nullopt;  // instead of `replications`
  bool control_variates = false;
  std::vector<RunObserver*> observers = {};  // they outlive the comparison
};

/// Runs every strategy `replications` times, and once if its first run made no draw, since all others would
/// be the same. The same bits whatever the number of threads. Each run is summed up as soon as those before
/// it are: the results that wait are about as many as there are threads.
///
/// With a precision, in rounds: up to kFirstLook replications, then up to each next_look(). After a round,
/// and only then, it is asked whether every measure of every strategy that draws is known to what is asked;
/// if so, or at `most`, that is the end. All strategies that draw are run equally often, since they are
/// compared by replication.
///
/// Throws TooManySteps if a run comes to more than the world allows: of the first such run, whatever the
/// number of threads.
[[nodiscard]] Comparison compare(const World& world, const CompareOptions& options);

}  // namespace stockout
