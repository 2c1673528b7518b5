#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tools/report/comparison/report.h"
#include "tools/stockout/answers/run_against.h"
#include "tools/stockout/answers/strategy_run.h"
#include "tools/stockout/arguments/report_arguments.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/focus_output.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/files/record_output.h"
#include "tools/stockout/files/run_outputs.h"
#include "tools/stockout/files/timeline_output.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

constexpr const char* kRunExamples =
    "Examples:\n"
    "  stockout run scenarios/quickstart.json --strategy spot --jobs-out jobs.csv\n"
    "  stockout run scenarios/quickstart.json --strategy spot --replication 3 --leases-out leases.csv\n"
    "  stockout run scenarios/philly.json --strategy spot --timeline trace.json.gz --timeline-from 12d\n"
    "  stockout run scenarios/held-capacity.json --strategy \"4 reserved all month\" \\\n"
    "      --focus costs.csv --idle-cost by-use\n"
    "  stockout run cluster.json --strategy queued --against sacct.txt\n"
    "\n"
    "Replications count from 0; `compare` and --against run 0 to N-1.\n"
    "\n"
    "--against sets simulated waits beside recorded ones: job by job where a source of the scenario reads that\n"
    "file as it is, else class by class. The formats are those of `stockout trace info --help`.\n"
    "\n"
    "Columns of --jobs-out; _s: seconds, points in time from the start of the window:\n"
    "  job, source, row, class, user, gpus, work_s, submit_s, released_s, first_grant_s, finished_s,\n"
    "  wait_s, start_delay_s, leased_s, state, leg, preemptions, lost_s,\n"
    "  deadline_s (counted from submission), deadline_met, quota_wait_s, quota_refusals,\n"
    "  kueue_wait_s, kueue_evictions, kueue_gpus, stock_outs, faults, worker_exits, bookings_expired,\n"
    "  revoked, orchestrator, orchestrator_state, partition, account,\n"
    "  gave_way_to (numbers of jobs), waited_again_s, waited_again_for, waited_for, for_held_back_s, for_quota_s, for_borrowing_s,\n"
    "  for_priority_s, for_back_off_s, for_blocked_s, for_capacity_s, for_start_up_s\n"
    "Columns of --leases-out:\n"
    "  job, attempt, leg, pool, gpus, granted_s, running_s, ended_s, lost_s, preempted\n"
    "tools/report/README.md says what each is, and how to read a timeline.";

struct RunArguments {
  ScenarioArguments scenario;
  ReportArguments report;
  AgainstArguments against;
  std::string strategy;
  std::uint64_t replication = 0;
  std::string jobs_out;
  std::string leases_out;
  std::string record;
  TimelineArguments timeline;
  FocusArguments focus;
};

void check_run_outputs(const RunArguments& arguments, const Scenario& scenario) {
  check_outputs(
      std::array{OutputFile{.option = "--output", .path = arguments.report.output},
                 OutputFile{.option = "--focus", .path = arguments.focus.file},
                 OutputFile{.option = "--jobs-out", .path = arguments.jobs_out},
                 OutputFile{.option = "--leases-out", .path = arguments.leases_out},
                 OutputFile{.option = "--record", .path = arguments.record}, arguments.timeline.output()},
      scenario.inputs);
}

// On a terminal it says how far the run is.
Measures watch_run(const Scenario& scenario, const RunPlace& run, GroupBy by,
                   std::vector<RunObserver*> observers, Console& console) {
  RunProgress progress{console, "simulating " + scenario.world.strategies[run.strategy].name, scenario.world};
  observers.insert(observers.begin(), &progress);
  return run_or_explain(scenario, run, by, observers);
}

void run_strategy(const RunArguments& arguments, Console& console) {
  const GroupBy by = arguments.report.group_by();
  const ReportFormat format = arguments.report.report_format();
  const Scenario scenario = arguments.scenario.load_to_run(console);
  check_group_by(by, scenario);
  const World& world = scenario.world;
  const std::size_t number = find_strategy(scenario, arguments.strategy);
  check_run_outputs(arguments, scenario);
  FocusOutput focus{arguments.focus, scenario, arguments.replication};
  ReportTarget target{arguments.report, console};
  JobsOutput jobs{arguments.jobs_out, world, console};
  LeasesOutput leases{arguments.leases_out, world};
  std::vector<RunObserver*> observers{&leases, &jobs, &focus};

  std::optional<RecordOutput> stored;
  if (!arguments.record.empty())
    observers.push_back(&stored.emplace(arguments.record, scenario, arguments.scenario.sets));
  std::optional<TimelineOutput> timeline;
  if (!arguments.timeline.path.empty()) observers.push_back(&timeline.emplace(arguments.timeline, scenario));

  const RunPlace run{.strategy = number, .replication = arguments.replication};
  Measures measured = watch_run(scenario, run, by, std::move(observers), console);
  if (stored) stored->add(run, measured);
  const Comparison comparison = comparison_of(scenario, run, std::move(measured));
  std::string report = write_report({.scenario = scenario,
                                     .comparison = comparison,
                                     .verdict = nullptr,
                                     .headline = run_headline(scenario, run),
                                     .by = by,
                                     .version = STOCKOUT_VERSION},
                                    format, target.layout());
  if (format == ReportFormat::table) report += jobs.states(target.layout());
  if (format == ReportFormat::markdown) report += jobs.states(kMarkdown);
  focus.finish();
  jobs.commit();
  leases.commit();
  if (timeline) timeline->commit(console);
  if (stored) {
    static_cast<void>(stored->finish(comparison));
    stored->publish();
  }
  target.write(report);
}

}  // namespace

CLI::App* add_run_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("run", "One strategy of a scenario, with a record of every job if asked");
  const auto arguments = std::make_shared<RunArguments>();
  arguments->scenario.add_to(*command);
  command->add_option("--strategy", arguments->strategy, "Its name in the scenario")
      ->required()
      ->type_name("STRATEGY");
  command->add_option("--replication", arguments->replication, "Which one, from 0")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--jobs-out", arguments->jobs_out, "Writes what became of each job to this file (CSV)")
      ->type_name("FILE");
  command->add_option("--leases-out", arguments->leases_out, "Writes each lease of a job to this file (CSV)")
      ->type_name("FILE");
  arguments->timeline.add_to(*command);
  arguments->report.add_to(*command);
  add_record_option(*command, arguments->record);
  arguments->focus.add_to(*command);
  CLI::Option* against = arguments->against.add_to(*command);
  arguments->scenario.add_replications_to(*command)->needs(against);
  for (const char* name :
       {"--replication", "--jobs-out", "--leases-out", "--timeline", "--by", "--record", "--focus"})
    against->excludes(command->get_option(name));
  command->footer(kRunExamples);
  command->callback([arguments, against, &console] {
    if (against->count() > 0)
      return run_against(arguments->against, arguments->scenario, arguments->report, arguments->strategy,
                         console);
    run_strategy(*arguments, console);
  });
  return command;
}

}  // namespace stockout
