#include <array>
#include <memory>
#include <new>

#include <fmt/format.h>

#include "models/bound/bound_book.h"
#include "models/experiment/comparison.h"
#include "models/experiment/verdict.h"
#include "models/measures/number_text.h"
#include "sim/core/error.h"
#include "tools/report/report.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/output_files.h"
#include "tools/stockout/progress.h"
#include "tools/stockout/report_arguments.h"
#include "tools/stockout/scenario_arguments.h"

namespace stockout {
namespace {

constexpr const char* kCompareExamples =
    "Examples:\n"
    "  stockout compare scenarios/quickstart.json\n"
    "  stockout compare scenarios/quickstart.json --by class\n"
    "  stockout compare scenarios/quickstart.json --lower-bound\n"
    "  stockout compare scenarios/quickstart.json --format json --output result.json\n"
    "  stockout compare scenarios/quickstart.json --replications 20 --seed 7\n"
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
  ReportArguments report;
  int threads = 0;
  bool lower_bound = false;
};

// Days of work, and then some: more than that is a slip of the pen.
void check_work(const Scenario& scenario) {
  constexpr double kMostJobs = 1e12;
  const auto runs = static_cast<double>(scenario.world.strategies.size()) * scenario.replications;
  if (scenario.most_jobs * runs <= kMostJobs) return;
  throw InputError{
      {.file = scenario.file},
      fmt::format("up to {:.1g} jobs would be simulated ({} strategies, {} replications, {:.1g} jobs "
                  "each); at most {:.0g} are: use fewer replications, or `run` for one of them",
                  scenario.most_jobs * runs, scenario.world.strategies.size(), scenario.replications,
                  scenario.most_jobs, kMostJobs)};
}

std::function<void(std::size_t, std::size_t, const RunRecord&, const Measures&)> look_for(BoundBook* bounds) {
  if (bounds == nullptr) return {};
  return [bounds](std::size_t strategy, std::size_t replication, const RunRecord& record,
                  const Measures& measures) {
    bounds->add(strategy, replication, record, measures.total[Measure::cost].value);
  };
}

Comparison run_all(const CompareArguments& arguments, const Scenario& scenario, BoundBook* bounds,
                   Console& console) {
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
                    .look_at_run = look_for(bounds),
                    .progress = [&](std::size_t done, std::size_t of) { progress.show(done, of); }});
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
  const Scenario scenario = arguments.scenario.load();
  check_work(scenario);
  check_outputs(std::array{OutputFile{.option = "--output", .path = arguments.report.output}},
                scenario.inputs);
  ReportTarget target{arguments.report, console};

  BoundBook book{scenario.world, &scenario.terms};
  const Comparison comparison =
      run_all(arguments, scenario, arguments.lower_bound ? &book : nullptr, console);
  const BoundSummary bounds = book.summary();
  const Verdict verdict = judge(comparison, scenario.goal, goal_text(scenario));
  target.write(write_report({.scenario = scenario,
                             .comparison = comparison,
                             .verdict = &verdict,
                             .headline = verdict.sentence,
                             .by = by,
                             .version = STOCKOUT_VERSION,
                             .bounds = arguments.lower_bound ? &bounds : nullptr},
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
  command
      ->add_option("--threads", arguments->threads,
                   "Simulations at a time, at most as many as the machine has cores; 0: so many")
      ->check(CLI::Range(0, 1024));
  command->add_flag(
      "--lower-bound", arguments->lower_bound,
      "Also what the jobs that were completed, and all jobs, cost at least with perfect foresight: "
      "a bound that nobody can reach");
  arguments->report.add_to(*command);
  command->footer(kCompareExamples);
  command->callback([arguments, &console] { compare_strategies(*arguments, console); });
  return command;
}

}  // namespace stockout
