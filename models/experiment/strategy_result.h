#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/summary.h"
#include "models/measures/measures.h"

namespace stockout {

/// Held capacity of a strategy over its replications.
struct HeldSummary {
  PoolId pool{};
  std::size_t came = 0;    // replications in which its machines came at all
  std::size_t late = 0;    // of these, in which they came later than they were due in the window
  double late_mean_h = 0;  // over those that came late
};

/// A zone pool whose leases held more than its capacity, over the replications.
struct ShortageSummary {
  PoolId pool{};
  std::size_t replications = 0;  // that had a shortage
  double gpu_hours = 0;          // mean over all replications
};

/// A strategy over its replications.
struct StrategyResult {
  std::string name;
  std::size_t replications = 0;  // that were run: 1 if it draws nothing
  bool drew = false;
  Summaries total;
  std::vector<Summaries> groups;           // by group_names() of what was asked
  std::vector<Summaries> gpus;             // by group_names(gpu)
  std::vector<Summaries> pipelines;        // by pipeline_names()
  std::vector<Summaries> steps;            // by step_names()
  std::vector<LineUse> lines;              // by PriceLineId, mean
  std::vector<HeldSummary> held;           // as Strategy::held
  std::vector<ShortageSummary> shortages;  // by pool
  std::vector<double> other;               // USD, by BillTerms::other, mean
  std::map<Eviction, double> evictions;    // mean
  std::vector<std::string> never_ran;  // classes of which jobs came and none ever started, in any replication

  // By replication, for paired differences.
  std::vector<double> costs;                     // USD
  std::vector<std::optional<double>> goal_met;   // share of the goal's jobs; none: no goal, or no such job
  std::vector<std::optional<double>> work_done;  // share of all work; none: no work came
  std::vector<std::vector<std::optional<double>>> goals;  // by Comparison::goals: GoalMet::value, if any
  std::vector<std::uint64_t> fingerprints;
};

/// Sums up the replications of one strategy as they come, in order. What a replication measured is not kept
/// beyond that, so that memory does not grow with groups times replications.
class StrategyReduction {
 public:
  explicit StrategyReduction(std::string name) { result_.name = std::move(name); }

  /// `surplus`: what the replication's controls are more than expected; all have controls or none.
  void add(const Measures& run, const Surplus* surplus = nullptr);

  /// All of a strategy, of what was added so far.
  [[nodiscard]] Summaries total() const { return total_.result(); }

  /// Of what was added, at least one. `classes`: those of the world, for never_ran; empty: it stays so.
  [[nodiscard]] StrategyResult finish(const std::vector<JobClass>& classes = {});

 private:
  void add_lines(const std::vector<LineUse>& lines);
  void add_held(const std::vector<HeldCame>& held);
  void add_shortages(const std::vector<PoolShortage>& shortages);
  void add_other(const std::vector<double>& costs);
  void add_classes(const std::vector<ClassStarts>& classes);
  void add_goals(const std::vector<GoalMet>& goals);

  StrategyResult result_;
  RunningSummaries total_;
  std::vector<RunningSummaries> groups_;
  std::vector<RunningSummaries> gpus_;
  std::vector<RunningSummaries> pipelines_;
  std::vector<RunningSummaries> steps_;
  std::vector<ClassStarts> classes_;
};

/// The replications of one strategy as one result, at least one.
[[nodiscard]] StrategyResult summarize_runs(const std::string& name, const std::vector<Measures>& runs);

}  // namespace stockout
