#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/assumptions/assumption_band.h"
#include "models/bound/bound_book.h"
#include "models/experiment/comparison.h"
#include "models/experiment/verdict.h"
#include "tools/report/comparison/report.h"
#include "tools/stockout/arguments/precision_arguments.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/world_runs.h"

namespace stockout {

/// Arguments of a comparison, whoever asks.
struct ComparisonArguments {
  ScenarioArguments scenario;
  PrecisionArguments precision;
  GroupBy by = GroupBy::nothing;
  int threads = 0;           // 0: as many as the machine has cores
  bool assumptions = false;  // tell of the verdict under each of the scenario's alternatives
  bool lower_bound = false;
  std::optional<ChosenWorlds> worlds = {};  // beside the one that `scenario` holds
};

/// Puts the precision asked for into a scenario as it was read. Throws InputError if it has no such groups,
/// or comes to too much work.
void prepare_comparison(const ComparisonArguments& arguments, Scenario& scenario);

/// Makes who watches the runs of a scenario: how far they are, whether they are to stop.
using MakeWatcher = std::function<std::unique_ptr<RunObserver>(const Scenario&)>;

/// All strategies of a scenario over the same jobs, and what follows from it.
class ComparisonRun {
 public:
  /// Simulates a scenario that is ready to run, in each of the worlds that are asked for too, and if
  /// `with_alternatives` each of its alternatives.
  /// `observers` watch it as it is written, and one that `watch` makes each. Throws InputError. The scenario
  /// outlives this.
  ComparisonRun(const ComparisonArguments& arguments, const Scenario& scenario, bool with_alternatives,
                std::vector<RunObserver*> observers, const MakeWatcher& watch);

  [[nodiscard]] const Comparison& comparison() const { return comparison_; }

  /// The findings, for the answer that was asked for. This outlives it.
  [[nodiscard]] Report report() const;
  /// The same for a page, which has the alternatives that were run in any case.
  [[nodiscard]] Report page_report() const;

 private:
  const Scenario& scenario_;
  GroupBy by_;
  bool tells_alternatives_;
  Comparison comparison_;
  Verdict verdict_;
  std::optional<BoundSummary> bounds_;
  std::optional<WorldBand> worlds_;
  std::optional<AssumptionBand> band_;
};

}  // namespace stockout
