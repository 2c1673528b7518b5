#include "tools/stockout/arguments/work_limit.h"

#include <new>

#include <fmt/format.h>

#include "models/launch/most_steps.h"
#include "models/measures/goal_text.h"
#include "models/measures/number_text.h"
#include "sim/core/error.h"

namespace stockout {

void check_total_work(const Scenario& scenario, std::size_t times) {
  const double jobs = scenario.most_jobs_in_all() * static_cast<double>(times);
  if (jobs <= kMostJobsInAll) return;
  const std::string variants = times == 1 ? "" : fmt::format("{} variants of the scenario, ", times);
  throw InputError{
      {.file = scenario.file},
      fmt::format("up to {:.1g} jobs would be simulated ({}{} strategies, {} replications, {:.1g} jobs "
                  "each); at most {:.0g} are: use fewer replications, or `run` for one of them",
                  jobs, variants, scenario.world.strategies.size(), scenario.most_replications(),
                  scenario.most_jobs, kMostJobsInAll)};
}

CompareOptions compare_options(const Scenario& scenario) {
  CompareOptions options;
  options.replications = static_cast<std::size_t>(scenario.replications);
  options.goal = scenario.goal;
  options.goals = asked_goals(scenario.goals, scenario.world.classes);
  options.between = scenario.between();
  options.terms = &scenario.terms;
  options.precision = scenario.precision;
  options.control_variates = scenario.control_variates;
  return options;
}

Comparison compare_or_explain(const Scenario& scenario, const CompareOptions& options) {
  try {
    return in_most_steps(scenario, [&] { return compare(scenario.world, options); });
  } catch (const std::bad_alloc&) {
    throw InputError{
        {.file = scenario.file},
        fmt::format("its runs, of up to {} jobs each, do not fit into memory: use fewer --threads, a shorter "
                    "window, or \"first\" of a trace",
                    number_text(scenario.most_jobs))};
  }
}

}  // namespace stockout
