#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/bound/bound_book.h"
#include "models/experiment/comparison.h"
#include "models/experiment/verdict.h"
#include "tools/report/comparison/report.h"
#include "tools/stockout/assumption_runs.h"
#include "tools/stockout/command_text.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/focus_output.h"
#include "tools/stockout/interrupt.h"
#include "tools/stockout/output_files.h"
#include "tools/stockout/precision_arguments.h"
#include "tools/stockout/progress.h"
#include "tools/stockout/record_output.h"
#include "tools/stockout/report_arguments.h"
#include "tools/stockout/report_page.h"
#include "tools/stockout/scenario_arguments.h"
#include "tools/stockout/whole_number.h"
#include "tools/stockout/work_limit.h"

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
  std::string record;
  std::string page;
  bool break_even = false;
  bool full = false;
  int threads = 0;
  bool assumptions = false;
  bool lower_bound = false;
  FocusArguments focus;
};

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

Comparison run_all(const CompareArguments& arguments, const Scenario& scenario,
                   std::vector<RunObserver*> observers, Console& console) {
  ComparisonProgress progress{console, scenario.world};
  observers.push_back(&progress);
  const CompareOptions options{.strategies = {},
                               .replications = static_cast<std::size_t>(scenario.replications),
                               .threads = arguments.threads,
                               .by = arguments.report.group_by(),
                               .goal = scenario.goal,
                               .between = scenario.between(),
                               .terms = &scenario.terms,
                               .precision = scenario.precision,
                               .control_variates = scenario.control_variates,
                               .observers = std::move(observers)};
  return compare_or_explain(scenario, [&] { return compare(scenario.world, options); });
}

// A page has the alternatives of a scenario that lists some.
bool runs_alternatives(const CompareArguments& arguments, const Scenario& scenario) {
  return arguments.assumptions || (!arguments.page.empty() && !scenario.alternatives.empty());
}

// `command`: the command line.
void compare_strategies(const CompareArguments& arguments, const std::string& command, Console& console) {
  const GroupBy by = arguments.report.group_by();
  const ReportFormat format = arguments.report.report_format();
  Scenario scenario = arguments.scenario.load_to_run(console);
  check_group_by(by, scenario);
  arguments.precision.apply(scenario);
  check_total_work(scenario);
  if (runs_alternatives(arguments, scenario)) {
    with_status(console, "reading the alternatives",
                [&] { check_alternatives(arguments.scenario, scenario); });
  }
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
    observers.push_back(&record.emplace(arguments.record, scenario, arguments.scenario.sets));

  BoundOutput bound{scenario};
  if (arguments.lower_bound) observers.push_back(&bound);
  const Comparison comparison = run_all(arguments, scenario, std::move(observers), console);
  const BoundSummary bounds = bound.summary();
  const Verdict verdict = judge(comparison, scenario.goal, goal_text(scenario));
  std::optional<AssumptionBand> band;
  if (runs_alternatives(arguments, scenario)) {
    band = run_alternatives(arguments.scenario, scenario, comparison, verdict,
                            [&](const Scenario& other) { return run_all(arguments, other, {}, console); });
  }
  Report report{.scenario = scenario,
                .comparison = comparison,
                .verdict = &verdict,
                .headline = verdict.sentence,
                .band = band ? &*band : nullptr,
                .by = by,
                .version = STOCKOUT_VERSION,
                .bounds = arguments.lower_bound ? &bounds : nullptr,
                .full = arguments.full};
  focus.finish();
  std::optional<BreakEvens> break_evens;
  if (record) {
    const StoredComparison stored = record->finish(comparison);
    if (page || arguments.break_even) break_evens = break_evens_of(stored, comparison);
  }
  if (page) page->write(report, *break_evens, command, console);
  if (arguments.assumptions) {
    report.headline += ' ' + band->sentence;
  } else {
    report.band = nullptr;
  }
  std::string text = write_report(report, format, target.layout());
  if (arguments.break_even) text += break_even_text(*break_evens, comparison, format, target.layout());
  target.write(text);
}

}  // namespace

CLI::App* add_compare_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("compare", "Every strategy of a scenario over the same jobs, side by side");
  const auto arguments = std::make_shared<CompareArguments>();
  arguments->scenario.add_to(*command);
  arguments->scenario.add_replications_to(*command);
  arguments->precision.add_to(*command);
  command
      ->add_option("--threads", arguments->threads,
                   "Simulations at a time, at most as many as the machine has cores; 0: so many")
      ->check(whole_number(0, 1024));
  command->add_flag(
      "--assumptions", arguments->assumptions,
      "Also under each of the scenario's `alternatives`, one at a time: does the answer survive?");
  command->add_flag(
      "--lower-bound", arguments->lower_bound,
      "Also what the jobs that were completed, and all jobs, cost at least with perfect foresight: a bound "
      "that nobody can reach");
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
