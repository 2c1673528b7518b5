#include <array>
#include <memory>
#include <new>

#include <fmt/format.h>

#include "models/experiment/comparison.h"
#include "models/experiment/verdict.h"
#include "models/measures/number_text.h"
#include "sim/core/error.h"
#include "tools/report/precision_text.h"
#include "tools/report/report.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/output_files.h"
#include "tools/stockout/precision_arguments.h"
#include "tools/stockout/progress.h"
#include "tools/stockout/report_arguments.h"
#include "tools/stockout/scenario_arguments.h"

namespace stockout {
namespace {

constexpr const char* kCompareExamples =
    "Examples:\n"
    "  stockout compare scenarios/quickstart.json\n"
    "  stockout compare scenarios/quickstart.json --by class\n"
    "  stockout compare scenarios/quickstart.json --format json --output result.json\n"
    "  stockout compare scenarios/quickstart.json --replications 20 --seed 7\n"
    "  stockout compare scenarios/quickstart.json --precision 5% --precision-of cost_usd,goal_met_share\n"
    "  stockout compare scenarios/quickstart.json --set /goal/at_most=8h\n"
    "\n"
    "What the shares are shares of:\n"
    "  goodput   work kept, of the hours of the GPUs that jobs asked for (kept + lost + overhead)\n"
    "  busy      work done, kept or lost, of all GPU-hours jobs leased (those they did not ask for "
    "included)\n"
    "  held use  leased by jobs, of the GPU-hours of held capacity\n"
    "  useful    work of completed jobs, of all GPU-hours leased or held idle\n"
    "models/measures/README.md defines every measure.";

struct CompareArguments {
  ScenarioArguments scenario;
  PrecisionArguments precision;
  ReportArguments report;
  int threads = 0;
};

// Days of work, and then some: more than that is a slip of the pen.
void check_work(const Scenario& scenario) {
  constexpr double kMostJobs = 1e12;
  const auto replications =
      scenario.precision ? static_cast<double>(scenario.precision->most) : scenario.replications;
  const double runs = static_cast<double>(scenario.world.strategies.size()) * replications;
  if (scenario.most_jobs * runs <= kMostJobs) return;
  throw InputError{
      {.file = scenario.file},
      fmt::format("up to {:.1g} jobs would be simulated ({} strategies, {} replications, {:.1g} jobs "
                  "each); at most {:.0g} are: use fewer replications, or `run` for one of them",
                  scenario.most_jobs * runs, scenario.world.strategies.size(), replications,
                  scenario.most_jobs, kMostJobs)};
}

Comparison run_all(const CompareArguments& arguments, const Scenario& scenario, Console& console) {
  ProgressMeter progress{console};
  try {
    return compare(scenario.world,
                   {.strategies = {},
                    .replications = static_cast<std::size_t>(scenario.replications),
                    .threads = arguments.threads,
                    .by = arguments.report.group_by(),
                    .goal = scenario.goal,
                    .between = scenario.between(),
                    .terms = &scenario.terms,
                    .progress = [&](std::size_t done, std::size_t of) { progress.show(done, of); },
                    .precision = scenario.precision,
                    .control_variates = scenario.control_variates,
                    .looked = [&](const PrecisionReached& so_far) { progress.add(precision_text(so_far)); }});
  } catch (const std::bad_alloc&) {
    throw InputError{
        {.file = scenario.file},
        fmt::format("its runs, of up to {} jobs each, do not fit into memory: use fewer --threads, a "
                    "shorter window, or \"first\" of a trace",
                    number_text(scenario.most_jobs))};
  }
}

void compare_strategies(const CompareArguments& arguments, Console& console) {
  const GroupBy by = arguments.report.group_by();
  const ReportFormat format = arguments.report.report_format();
  Scenario scenario = arguments.scenario.load();
  arguments.precision.apply(scenario);
  check_work(scenario);
  check_outputs(std::array{OutputFile{.option = "--output", .path = arguments.report.output}},
                scenario.inputs);
  ReportTarget target{arguments.report, console};

  const Comparison comparison = run_all(arguments, scenario, console);
  const Verdict verdict = judge(comparison, scenario.goal, goal_text(scenario));
  target.write(write_report({.scenario = scenario,
                             .comparison = comparison,
                             .verdict = &verdict,
                             .headline = verdict.sentence,
                             .by = by,
                             .version = STOCKOUT_VERSION},
                            format));
}

}  // namespace

CLI::App* add_compare_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("compare", "Every strategy of a scenario over the same jobs, side by side");
  const auto arguments = std::make_shared<CompareArguments>();
  arguments->scenario.add_to(*command);
  command
      ->add_option("--replications", arguments->scenario.replications, "How often, instead of the scenario's")
      ->check(check_not_empty);
  arguments->precision.add_to(*command);
  command
      ->add_option("--threads", arguments->threads,
                   "Simulations at a time, at most as many as the machine has cores; 0: so many")
      ->check(CLI::Range(0, 1024));
  arguments->report.add_to(*command);
  command->footer(kCompareExamples);
  command->callback([arguments, &console] { compare_strategies(*arguments, console); });
  return command;
}

}  // namespace stockout
