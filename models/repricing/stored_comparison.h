#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/billing/bill.h"
#include "models/billing/overlay.h"
#include "models/billing/price_line.h"
#include "models/billing/terms.h"
#include "models/experiment/comparison.h"
#include "models/measures/goal.h"
#include "models/measures/measure_table.h"
#include "models/measures/measures.h"
#include "models/measures/wait_goal.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// A price line that stands for itself, without the world whose numbers it uses.
struct StoredLine {
  PriceLine price;
  std::string machine;     // machine type
  std::string pool;        // whose machines; of held and sublet lines the held pool
  std::int64_t parts = 1;  // more than 1: it is the price of one of so many parts of a machine, rounded down
};

/// One replication: all that was measured of the whole run, and what its cost is the price of.
struct StoredRun {
  std::uint64_t replication = 0;
  Values total;
  std::optional<double> reference_gpu_h;  // as Measures has it
  BilledUse use;
  std::vector<GoalMet> goals;  // by StoredComparison::goals; absent of a budget, which follows from the cost
  bool drew = false;
  std::uint64_t fingerprint = 0;
};

struct StoredStrategy {
  std::string name;
  bool looks_at_prices = false;             // under other prices it would have bought otherwise
  std::vector<StoredRun> runs;              // at least one, in order
  std::vector<std::string> never_ran = {};  // as StrategyResult has it
};

/// A comparison as it is kept in a file: enough to know what the same runs cost at other prices.
struct StoredComparison {
  std::string version;  // of the program that made it
  std::string scenario_file;
  std::string scenario_text;               // as it was read, before ...
  std::vector<std::string> scenario_sets;  // ... these --set, "/pointer=value"
  std::string name;
  std::string question;
  std::string start;                // "2026-08-03": the first day
  std::vector<OffsetStep> offsets;  // as World::utc_offsets
  std::string prices_as_of;         // "2026-07-30"
  bool prices_follow_calendar = false;
  std::uint64_t seed = 0;
  std::size_t replications = 1;  // that were asked for
  bool means_adjusted = false;   // by control variates, in the reports of the run; not in the values of runs
  std::uint64_t fingerprint = 0;
  SimTime window_end{};
  BillingRule billing;                 // whose rounding is in the use
  std::vector<PriceOverlay> overlays;  // the planner's own prices
  std::optional<WaitGoal> goal;        // its class is in the text alone
  std::string goal_text;
  std::vector<AskedGoal> goals;  // beside it; their classes are in the texts alone
  std::vector<StoredLine> lines;
  BillTerms terms;
  std::vector<std::string> commitment_machines;  // machine types, by BillTerms::commitments
  std::vector<StoredStrategy> strategies;

  [[nodiscard]] std::vector<PriceLine> price_lines() const;
  /// Whether there is anything to meet.
  [[nodiscard]] bool asks() const { return goal || !goals.empty(); }
  /// The words of all goals, that of the wait first.
  [[nodiscard]] std::vector<std::string> asked() const;
};

/// Gathers the runs of a comparison, as an observer of it.
class RunRecorder : public RunObserver {
 public:
  /// Takes the scenario's text from its file again. `sets` as on the command line.
  RunRecorder(const Scenario& scenario, std::vector<std::string> sets, std::string version);

  void add(const RunPlace& run, const Measures& measures) override;

  /// Of everything that was added, strategies in the scenario's order. The comparison is that of the same
  /// runs.
  [[nodiscard]] StoredComparison finish(const Comparison& comparison);

 private:
  StoredComparison stored_;
};

/// Outcomes of the goals in a run that costs so much.
[[nodiscard]] std::vector<GoalMet> goals_at(const StoredComparison& record, const StoredRun& run,
                                            const Value& cost);

/// The values of a run at these prices. What is not there stays so.
[[nodiscard]] Values priced(const StoredRun& run, const std::vector<PriceLine>& lines, const BillTerms& terms,
                            SimTime window_end);

}  // namespace stockout
