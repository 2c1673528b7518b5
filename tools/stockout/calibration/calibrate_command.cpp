#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "models/calibration/calibration.h"
#include "models/calibration/world_places.h"
#include "sim/io/whole_file.h"
#include "tools/report/calibration/calibration_report.h"
#include "tools/stockout/arguments/report_arguments.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/scenario_text.h"
#include "tools/stockout/arguments/store_arguments.h"
#include "tools/stockout/calibration/observed_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/interrupt.h"

namespace stockout {
namespace {

constexpr const char* kCalibrateExamples =
    "Examples:\n"
    "  stockout calibrate scenarios/calibrate-quickstart.json --observed sacct.txt --strategy \"flex by zone\" \\\n"
    "      --write-worlds worlds.json\n"
    "  stockout compare scenarios/calibrate-quickstart.json --worlds worlds.json\n"
    "      the same comparison under worlds that agree with the history\n"
    "  stockout calibrate scenario.json --observed waits.csv --strategy \"on-demand\" --runs 4000\n"
    "  stockout calibrate scenario.json --observed waits.csv --store worlds.sqlite --resume\n"
    "      goes on after Ctrl-C, a kill or a full disk; begins if there is nothing yet\n"
    "\n"
    "The scenario marks what nobody publishes as `unknown`: hosts of a pool, its tenants' load, a queue's\n"
    "discipline. The history tells how long jobs waited, and which were refused or interrupted, in any format\n"
    "of `stockout trace info`. Where a source of the scenario reads that file, its jobs are compared one by\n"
    "one; else the jobs of classes of the same names are. --strategy is how they were bought.\n"
    "\n"
    "Exit code 1: the history says nothing of an unknown. No worlds are written then, unless\n"
    "--keep-unidentified leaves it as assumed.";

struct CalibrateArguments {
  ScenarioArguments scenario;
  ReportArguments report;
  ObservedArguments observed;
  CalibrationArguments calibration;
  StoreArguments store;
  std::string worlds;
  bool keep_unidentified = false;
};

bool is_all_identified(const Calibration& found) {
  return std::ranges::all_of(found.found, &FoundUnknown::identified);
}

WorkIdentity calibration_identity(const CalibrateArguments& arguments, const CalibrationTask& task,
                                  InputStamps& inputs) {
  const TraceArguments& observed = arguments.observed.record;
  WorkIdentity work = identity_of(arguments.scenario, task.written, {observed.file}, inputs);
  const std::string& strategy = task.written.world.strategies[task.strategy].name;
  work.facts.push_back({.what = "--strategy", .value = strategy});
  work.facts.push_back({.what = "--observed-format", .value = observed.format});
  work.facts.push_back({.what = "--observed-zone", .value = observed.zone});
  work.facts.push_back({.what = "--runs", .value = std::to_string(arguments.calibration.runs)});
  return work;
}

// Nothing if it was interrupted.
std::optional<Calibration> find_worlds(const CalibrateArguments& arguments, CalibrationTask task,
                                       Console& console) {
  if (!arguments.store.is_asked()) return run_calibration(task, arguments.calibration, console);
  InputStamps inputs = stamps_of(arguments.scenario);
  CalibrationStore store{arguments.store.file, calibration_identity(arguments, task, inputs), inputs,
                         arguments.store.resume, [] { return Interrupt::was_asked_for(); }};
  task.store = &store;
  std::optional<Calibration> found;
  const StoreUse use{.what = "world", .found = store.found(), .finish = [&] { store.finish(); }};
  const auto work = [&] { found = run_calibration(task, arguments.calibration, console); };
  return keep_while(use, work, console) ? std::move(found) : std::nullopt;
}

void calibrate_scenario(const CalibrateArguments& arguments, Console& console) {
  const ReportFormat format = arguments.report.report_format();
  const Scenario written = arguments.scenario.load_to_run(console);
  const std::size_t strategy = arguments.observed.strategy_of(written);
  std::vector<std::string> inputs = written.inputs;
  inputs.push_back(arguments.observed.record.file);
  check_outputs(std::array{OutputFile{.option = "--output", .path = arguments.report.output},
                           OutputFile{.option = "--write-worlds", .path = arguments.worlds},
                           OutputFile{.option = "--store", .path = arguments.store.file}},
                inputs);
  const auto worlds = arguments.worlds.empty() ? nullptr : std::make_unique<WholeFile>(arguments.worlds);
  ReportTarget target{arguments.report, console};
  const RecordedHistory record = arguments.observed.read(written, console);
  const HistoryJobs history{written.world, record.trace, record.same, {}};
  advise_on_interrupt("Fewer --runs take less time.");
  const std::optional<Calibration> found = find_worlds(
      arguments,
      {.scenario = arguments.scenario, .written = written, .strategy = strategy, .history = history},
      console);
  if (!found) return;
  const CalibrationReport report{.written = written,
                                 .strategy = written.world.strategies[strategy].name,
                                 .observed = arguments.observed.record.file,
                                 .history = history,
                                 .found = *found,
                                 .version = STOCKOUT_VERSION};
  const bool as_asked = is_all_identified(*found) || arguments.keep_unidentified;
  if (worlds && as_asked) {
    WorldSet set = world_set_of(report);
    name_places(set, written.unknown,
                scenario_text(arguments.scenario.file, arguments.scenario.options()).root);
    worlds->write(write_world_set(set));
    worlds->commit();
  }
  target.write(write_calibration(report, format, target.layout()));
  if (!as_asked) console.exit = ExitCode::not_as_asked;
}

}  // namespace

CLI::App* add_calibrate_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "calibrate", "Which of the worlds that a scenario leaves open agree with a history of waits");
  const auto arguments = std::make_shared<CalibrateArguments>();
  arguments->scenario.add_to(*command);
  arguments->observed.add_to(*command);
  arguments->calibration.add_to(*command);
  arguments->store.add_to(*command, "each world");
  arguments->report.add_format_to(*command);
  command
      ->add_option("--write-worlds", arguments->worlds,
                   "Writes the worlds to this file (JSON), for `compare --worlds`")
      ->type_name("FILE");
  command->add_flag("--keep-unidentified", arguments->keep_unidentified,
                    "Writes them also if the history says nothing of an unknown, which stays as assumed");
  command->footer(kCalibrateExamples);
  command->callback([arguments, &console] { calibrate_scenario(*arguments, console); });
  return command;
}

}  // namespace stockout
