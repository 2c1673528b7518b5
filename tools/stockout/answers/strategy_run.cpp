#include "tools/stockout/answers/strategy_run.h"

#include <new>
#include <utility>

#include <fmt/format.h>

#include "models/launch/most_steps.h"
#include "models/measures/goal_text.h"
#include "models/measures/number_text.h"
#include "sim/core/error.h"

namespace stockout {

Measures run_or_explain(const Scenario& scenario, const RunPlace& run, GroupBy by, RunObservers observers) {
  const MeasureOptions options{.by = by,
                               .goal = scenario.goal,
                               .goals = scenario.goals,
                               .between = scenario.between(),
                               .terms = &scenario.terms};
  try {
    return in_most_steps(scenario, [&] { return observe_run(scenario.world, run, options, observers); });
  } catch (const std::bad_alloc&) {
    throw InputError{{.file = scenario.file},
                     fmt::format("a run of up to {} jobs does not fit into memory: use a shorter window, or "
                                 "\"first\" of a trace",
                                 number_text(scenario.most_jobs))};
  }
}

Comparison comparison_of(const Scenario& scenario, const RunPlace& run, Measures measured) {
  Comparison comparison;
  comparison.goals = asked_goals(scenario.goals, scenario.world.classes);
  comparison.strategies.push_back(
      summarize_runs(scenario.world.strategies[run.strategy].name, {std::move(measured)}));
  comparison.fingerprint = fingerprint_of(comparison.strategies);
  return comparison;
}

std::string run_headline(const Scenario& scenario, const RunPlace& run) {
  return fmt::format("{}, replication {}", scenario.world.strategies[run.strategy].name, run.replication);
}

}  // namespace stockout
