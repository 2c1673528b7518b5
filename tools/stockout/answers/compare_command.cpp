#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tools/report/comparison/report.h"
#include "tools/stockout/answers/assumption_runs.h"
#include "tools/stockout/answers/comparison_run.h"
#include "tools/stockout/arguments/report_arguments.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/focus_output.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/files/record_output.h"
#include "tools/stockout/files/report_page.h"
#include "tools/stockout/terminal/command_text.h"
#include "tools/stockout/terminal/interrupt.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

constexpr const char* kCompareExamples =
    "Examples:\n"
    "  stockout compare scenarios/quickstart.json\n"
    "  stockout compare scenarios/quickstart.json --by class\n"
    "  stockout compare scenarios/quickstart.json --full\n"
    "      every table, prices, assumptions and notes\n"
    "  stockout compare scenarios/quickstart.json --assumptions\n"
    "  stockout compare scenarios/quickstart.json --lower-bound\n"
    "  stockout compare scenario.json --worlds worlds.json\n"
    "      in each of the worlds that agree with a history (`stockout calibrate`)\n"
    "  stockout compare scenarios/quickstart.json --format json --output result.json\n"
    "  stockout compare scenarios/quickstart.json --replications 20 --seed 7\n"
    "  stockout compare scenarios/quickstart.json --precision 5% --precision-of cost_usd,goal_met_share\n"
    "  stockout compare scenarios/quickstart.json --set /goal/at_most=8h\n"
    "  stockout compare scenarios/quickstart.json --report report.html\n"
    "      a page for a browser: pictures, what could change the answer, and how it was made\n"
    "  stockout compare scenarios/quickstart.json --record runs.sqlite\n"
    "      what every run used, for `stockout price runs.sqlite`\n"
    "  stockout compare scenarios/quickstart.json --focus costs.csv\n"
    "      replication 0 of each strategy: add up one strategy (SubAccountName) at a time\n"
    "\n"
    "Meaning of the shares:\n"
    "  goodput       work kept, of the hours of the GPUs that jobs asked for (kept + wasted + overhead)\n"
    "  busy          work done, kept or wasted, of all GPU-hours jobs leased (those they did not ask for "
    "included)\n"
    "  held use      leased by jobs, of the GPU-hours of held capacity\n"
    "  useful share  work of completed jobs, of all GPU-hours leased or held idle\n"
    "models/measures/README.md defines every measure.";

struct CompareArguments {
  ComparisonArguments asked;
  ReportArguments report;
  std::string record;
  std::string page;
  std::string worlds;
  std::size_t most_worlds = kDefaultWorlds;
  bool break_even = false;
  bool full = false;
  FocusArguments focus;
};

// A page has the alternatives of a scenario that lists some.
bool runs_alternatives(const CompareArguments& arguments, const Scenario& scenario) {
  return arguments.asked.assumptions || (!arguments.page.empty() && !scenario.alternatives.empty());
}

// `command`: the command line.
void compare_strategies(const CompareArguments& arguments, const std::string& command, Console& console) {
  ComparisonArguments asked = arguments.asked;
  asked.by = arguments.report.group_by();
  const ReportFormat format = arguments.report.report_format();
  if (!arguments.worlds.empty())
    asked.worlds = choose_worlds(arguments.worlds, arguments.most_worlds, asked.scenario);
  Scenario scenario = asked.scenario.load_to_run(console);
  prepare_comparison(asked, scenario);
  if (asked.worlds) {
    scenario.inputs.push_back(arguments.worlds);
    scenario.assumptions.push_back(middle_assumption(arguments.worlds));
    with_status(console, "reading the worlds", [&] { check_worlds(*asked.worlds, scenario); });
  }
  if (asked.assumptions) add_usual_alternatives(asked.scenario, scenario);
  const bool with_alternatives = runs_alternatives(arguments, scenario);
  if (with_alternatives)
    with_status(console, "reading the alternatives", [&] { check_alternatives(asked.scenario, scenario); });
  check_break_even(arguments.break_even, format);
  check_outputs(std::array{OutputFile{.option = "--output", .path = arguments.report.output},
                           OutputFile{.option = "--focus", .path = arguments.focus.file},
                           OutputFile{.option = "--record", .path = arguments.record},
                           OutputFile{.option = "--report", .path = arguments.page}},
                scenario.inputs);
  FocusOutput focus{arguments.focus, scenario};
  std::vector<RunObserver*> observers{&focus};
  ReportTarget target{arguments.report, console};
  std::optional<PageOutput> page;
  if (!arguments.page.empty()) observers.push_back(&page.emplace(arguments.page, scenario));
  advise_on_interrupt(kFewerReplications);
  std::optional<RecordOutput> record;
  if (!arguments.record.empty() || arguments.break_even || page)
    observers.push_back(&record.emplace(arguments.record, scenario, asked.scenario.sets));

  const ComparisonRun run{asked, scenario, with_alternatives, std::move(observers), [&](const Scenario& of) {
                            return std::make_unique<ComparisonProgress>(console, of.world);
                          }};
  focus.finish();
  std::optional<BreakEvens> break_evens;
  if (record) {
    const StoredComparison stored = record->finish(run.comparison());
    record->publish();
    if (page || arguments.break_even) break_evens = break_evens_of(stored, run.comparison());
  }
  if (page) page->write(run.page_report(), *break_evens, command, console);
  Report report = run.report();
  report.full = arguments.full;
  std::string text = write_report(report, format, target.layout());
  if (arguments.break_even) text += break_even_text(*break_evens, run.comparison(), format, target.layout());
  target.write(text);
}

}  // namespace

CLI::App* add_compare_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("compare", "Every strategy of a scenario over the same jobs, side by side");
  const auto arguments = std::make_shared<CompareArguments>();
  arguments->asked.scenario.add_to(*command);
  arguments->asked.scenario.add_replications_to(*command);
  arguments->asked.precision.add_to(*command);
  command
      ->add_option("--threads", arguments->asked.threads,
                   "Simulations at a time, at most as many as the machine has cores; 0: so many")
      ->check(whole_number(0, 1024));
  command->add_flag(
      "--assumptions", arguments->asked.assumptions,
      "Also under each of the scenario's `alternatives`, or of the usual ones if it lists none, one at a "
      "time: does the answer survive?");
  add_worlds_options(
      *command,
      "Also in worlds that agree with a history, as `stockout calibrate` has found them. The one in "
      "the middle replaces the written values",
      arguments->worlds, arguments->most_worlds);
  command->add_flag(
      "--lower-bound", arguments->asked.lower_bound,
      "Also the least cost of the completed jobs, and of all jobs, with perfect foresight: a bound that "
      "nobody can reach");
  arguments->report.add_to(*command);
  command->add_flag(
      "--full", arguments->full,
      "Every table and all notes: prices, assumptions, sources of randomness, how to read them");
  add_record_option(*command, arguments->record);
  arguments->focus.add_to(*command);
  add_page_option(*command, arguments->page);
  command->add_flag("--break-even", arguments->break_even,
                    "Up to which price of Spot, flex-start, a commitment ... which strategy is the cheapest");
  command->footer(kCompareExamples);
  command->callback(
      [arguments, command, &console] { compare_strategies(*arguments, command_text(*command), console); });
  return command;
}

}  // namespace stockout
