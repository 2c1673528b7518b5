#include "tools/stockout/answers/comparison_run.h"

#include <utility>

#include "tools/stockout/answers/assumption_runs.h"
#include "tools/stockout/arguments/report_arguments.h"
#include "tools/stockout/arguments/work_limit.h"

namespace stockout {
namespace {

/// Bounds to what the runs of a comparison cost.
class BoundOutput : public RunObserver {
 public:
  explicit BoundOutput(const Scenario& scenario) : book_{scenario.world, &scenario.terms} {}

  void end(const RunPlace& run, const RunRecord& record, const Measures& measures) override {
    book_.add(run.strategy, run.replication, record, measures.total[Measure::cost].value);
  }
  [[nodiscard]] BoundSummary summary() const { return book_.summary(); }

 private:
  BoundBook book_;
};

Comparison run_all(const ComparisonArguments& arguments, const Scenario& scenario,
                   std::vector<RunObserver*> observers, const MakeWatcher& watch) {
  const auto watcher = watch(scenario);
  observers.push_back(watcher.get());
  CompareOptions options = compare_options(scenario);
  options.threads = arguments.threads;
  options.by = arguments.by;
  options.observers = std::move(observers);
  return compare_or_explain(scenario, options);
}

}  // namespace

void prepare_comparison(const ComparisonArguments& arguments, Scenario& scenario) {
  check_group_by(arguments.by, scenario);
  arguments.precision.apply(scenario);
  check_total_work(scenario);
}

ComparisonRun::ComparisonRun(const ComparisonArguments& arguments, const Scenario& scenario,
                             bool with_alternatives, std::vector<RunObserver*> observers,
                             const MakeWatcher& watch)
    : scenario_{scenario}, by_{arguments.by}, tells_alternatives_{arguments.assumptions} {
  BoundOutput bound{scenario};
  if (arguments.lower_bound) observers.push_back(&bound);
  comparison_ = run_all(arguments, scenario, std::move(observers), watch);
  if (arguments.lower_bound) bounds_ = bound.summary();
  verdict_ = judge(comparison_, scenario.goal, goal_text(scenario));
  const auto compare_in = [&](const Scenario& other) { return run_all(arguments, other, {}, watch); };
  if (arguments.worlds) worlds_ = run_worlds(*arguments.worlds, scenario, compare_in);
  if (!with_alternatives) return;
  band_ = run_alternatives(arguments.scenario, scenario, comparison_, verdict_, compare_in);
}

Report ComparisonRun::report() const {
  Report report = page_report();
  if (tells_alternatives_) {
    report.headline += ' ' + band_->sentence;
  } else {
    report.band = nullptr;
  }
  return report;
}

Report ComparisonRun::page_report() const {
  Report report{.scenario = scenario_,
                .comparison = comparison_,
                .verdict = &verdict_,
                .headline = verdict_.sentence,
                .band = band_ ? &*band_ : nullptr,
                .by = by_,
                .version = STOCKOUT_VERSION,
                .bounds = bounds_ ? &*bounds_ : nullptr,
                .worlds = worlds_ ? &*worlds_ : nullptr};
  if (worlds_) report.headline += ' ' + worlds_->sentence;
  return report;
}

}  // namespace stockout
