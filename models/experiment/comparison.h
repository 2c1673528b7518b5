#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/measures/measures.h"
#include "models/world/world.h"
#include "sim/stats/interval.h"

namespace stockout {

/// A measure over the replications of one strategy.
struct Summary {
  double mean = 0;                   // over the replications in which there is one
  std::optional<double> half_width;  // of the 95 % interval; none with fewer than two, and none for a bound
  Value::Known known = Value::Known::absent;

  [[nodiscard]] bool is_absent() const { return known == Value::Known::absent; }
};

/// One Summary of each measure.
class Summaries {
 public:
  Summary& operator[](Measure measure) { return summaries_[static_cast<std::size_t>(measure)]; }
  const Summary& operator[](Measure measure) const { return summaries_[static_cast<std::size_t>(measure)]; }

 private:
  std::array<Summary, kMeasures> summaries_{};
};

/// Each measure over replications: the mean of what is there, a bound from below if any of it is one.
[[nodiscard]] Summaries summarize(const std::vector<const Values*>& replications);

/// A strategy over its replications.
struct StrategyResult {
  std::string name;
  std::size_t replications = 0;  // that were run: 1 if it draws nothing
  bool drew = false;
  Summaries total;
  std::vector<Summaries> groups;  // by group_names() of what was asked
  std::vector<Summaries> gpus;    // by group_names(gpu)
  std::vector<LineUse> lines;     // by PriceLineId, mean
  std::vector<double> costs;      // cost of each replication, USD, for paired differences
  std::vector<double>
      attained;  // share within the wait goal, by replication; empty without a goal, or if absent in any
  std::vector<std::uint64_t> fingerprints;  // by replication
};

/// The replications of one strategy as one result, at least one.
[[nodiscard]] StrategyResult summarize_runs(const std::string& name, const std::vector<Measures>& runs);

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
  std::function<void(std::size_t done, std::size_t of)>
      progress;  // called after each run, from any thread, one at a time
};

/// Runs every strategy `replications` times, and once if its first run made no draw, since all others would
/// be the same. The same bits whatever the number of threads.
[[nodiscard]] Comparison compare(const World& world, const CompareOptions& options);

}  // namespace stockout
