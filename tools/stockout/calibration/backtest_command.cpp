#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "models/calibration/backtest_runs.h"
#include "models/calibration/bill_grade.h"
#include "models/scenario/draft/scenario_cache.h"
#include "models/scenario/format/varied_value.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/io/whole_file.h"
#include "tools/report/backtest_page/backtest_page.h"
#include "tools/report/calibration/backtest_report.h"
#include "tools/stockout/arguments/report_arguments.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/calibration/history_split.h"
#include "tools/stockout/calibration/observed_arguments.h"
#include "tools/stockout/calibration/recorded_bill.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/files/report_page.h"
#include "tools/stockout/terminal/command_text.h"
#include "tools/stockout/terminal/interrupt.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

constexpr const char* kBacktestExamples =
    "Examples:\n"
    "  stockout backtest cluster.json --observed sacct.txt --split 2026-05-01\n"
    "      calibrated on the jobs before that day, how far off are the waits after it?\n"
    "  stockout backtest cluster.json --observed jobs.csv --split 70%\n"
    "      the split is where 70 % of the jobs have been submitted\n"
    "  stockout backtest cluster.json --observed jobs.csv --split 60d --at-least fair\n"
    "      exit code 1 if it is worse than that\n"
    "  stockout backtest cluster.json --observed jobs.csv --split 2026-05-01 --billing may.csv --billing june.csv\n"
    "      also the bill: what was charged for machines after that day, beside what is predicted\n"
    "  stockout backtest cluster.json --observed jobs.csv --split 70% --report backtest.html\n"
    "      the same as a page: predicted beside recorded waits, by day and by share of the jobs\n"
    "\n"
    "The scenario replays the history (`trace` of a source), and marks what nobody knows as `unknown`. Nothing\n"
    "that happened after the split is used to find it. --strategy is how the jobs were bought.\n"
    "\n"
    "Grades: \"good\" is a mean wait within 15 % (6 minutes where no job waited), 87 to 93 % of the waits\n"
    "within their intervals of 90 %, a skill of at least 0, and at most 5 % of jobs that never started and are\n"
    "not predicted; \"fair\" is within 50 %, 80 to 97 %, at least -0.1, and at most 50 %. With --billing the\n"
    "bill must also be within 10 %, for \"fair\" within 25 %.";

struct BacktestArguments {
  ScenarioArguments scenario;
  ReportArguments report;
  std::string page;
  ObservedArguments observed;
  CalibrationArguments calibration;
  std::string split;
  std::size_t worlds = 20;
  std::string at_least;
  std::vector<std::string> billing;
};

std::string month_of(const RecordedHistory& record, SimTime at) {
  const auto date = date_of(record, at);
  if (date) return fmt::format("{:%Y-%m}", std::chrono::floor<std::chrono::seconds>(*date));
  const auto month = (at - kStart) / std::chrono::hours{30 * 24};
  return fmt::format("days {} to {}", month * 30 + 1, month * 30 + 30);
}

std::string day_of(const RecordedHistory& record, SimTime at) {
  const auto date = date_of(record, at);
  if (date) return fmt::format("{:%Y-%m-%d}", std::chrono::floor<std::chrono::seconds>(*date));
  return fmt::format("day {}", (at - kStart) / std::chrono::hours{24} + 1);
}

void check_sides(const BacktestArguments& arguments, const HistoryJobs& before, const HistoryJobs& after) {
  const std::size_t fewest = std::min(before.recorded().size(), after.recorded().size());
  if (fewest >= kFewestOfSide) return;
  refuse_split(
      arguments.split,
      fmt::format("leaves {} with a known wait before it and {} after it: must be where both are at least "
                  "{}, which is the least that says anything",
                  counted(before.recorded().size(), "job"), after.recorded().size(), kFewestOfSide));
}

std::size_t jobs_before(const RecordedHistory& record, SimTime split) {
  const auto& submits = record.trace.submit_ms;
  const std::int64_t at = split.time_since_epoch().count() - record.same->shift_ms;
  return static_cast<std::size_t>(std::ranges::lower_bound(submits, at) - submits.begin());
}

// Only what happens before the split is simulated to find the worlds.
std::vector<PlacedValue> until_split(SimTime split) {
  return {{.pointer = "/window",
           .value = length_of(JsonValue{(split - kStart).count()}, SimDuration{1}),
           .said_in = "backtest: the time before the split"}};
}

BacktestGrade least_grade(const std::string& name) {
  return name.empty() ? BacktestGrade::poor
                      : static_cast<BacktestGrade>(choose("--at-least", "grade", name, kBacktestGrades));
}

void check_files(const BacktestArguments& arguments, const Scenario& written) {
  std::vector<std::string> inputs = written.inputs;
  inputs.push_back(arguments.observed.record.file);
  inputs.insert(inputs.end(), arguments.billing.begin(), arguments.billing.end());
  check_outputs(std::array{OutputFile{.option = "--output", .path = arguments.report.output},
                           OutputFile{.option = "--report", .path = arguments.page}},
                inputs);
}

void backtest_scenario(const BacktestArguments& arguments, const std::string& command, Console& console) {
  const ReportFormat format = arguments.report.report_format();
  const BacktestGrade at_least = least_grade(arguments.at_least);
  const Scenario written = arguments.scenario.load_to_run(console);
  const std::size_t strategy = arguments.observed.strategy_of(written);
  check_files(arguments, written);
  const auto page = arguments.page.empty() ? nullptr : std::make_unique<WholeFile>(arguments.page);
  ReportTarget target{arguments.report, console};
  const RecordedHistory record = arguments.observed.read(written, console);
  check_replays(record, arguments.observed.record.file, written);
  const SimTime split = split_of(arguments.split, arguments.observed.record.zone, record);
  const HistoryJobs before{
      written.world, record.trace, record.same, {.from = kStart, .until = split, .known_until = split}};
  const HistoryJobs after{
      written.world, record.trace, record.same, {.from = split, .until = kNever, .known_until = kNever}};
  check_sides(arguments, before, after);
  const PeriodNames names{.month = [&](SimTime at) { return month_of(record, at); },
                          .day = [&](SimTime at) { return day_of(record, at); }};
  const SimTime end{SimDuration{record.trace.submit_ms.back() + record.same->shift_ms + 1}};
  std::optional<RecordedBill> bill;
  if (!arguments.billing.empty()) {
    bill = read_recorded_bill(arguments.billing, arguments.scenario.catalog_dir, written, record);
    bill->spans = spans_of_bill(split, std::min(end, written.world.window_end), names);
    check_recorded(*bill, written.world, strategy);
  }
  advise_on_interrupt("Fewer --runs take less time.");
  const Calibration found = run_calibration({.scenario = arguments.scenario,
                                             .written = written,
                                             .strategy = strategy,
                                             .history = before,
                                             .placed = until_split(split)},
                                            arguments.calibration, console);
  const CalibrationReport calibration{.written = written,
                                      .strategy = written.world.strategies[strategy].name,
                                      .observed = arguments.observed.record.file,
                                      .history = before,
                                      .found = found,
                                      .version = STOCKOUT_VERSION};
  const std::vector<CalibratedWorld> worlds = world_set_of(calibration).representative(arguments.worlds);
  ScenarioCache cache;
  ProgressMeter progress{console};
  const LoadWorld load = [&](const std::vector<PlacedValue>& changes) {
    return arguments.scenario.load_to_run(changes, &cache);
  };
  const BacktestTask task{.strategy = strategy,
                          .before = before,
                          .after = after,
                          .source = record.same->source,
                          .split = split,
                          .end = end,
                          .jobs_before = jobs_before(record, split),
                          .load = load,
                          .threads = arguments.calibration.threads,
                          .done = [&](std::size_t done) { progress.show(done, 2 * worlds.size()); },
                          .bill = bill ? bill->spans : std::vector<BillSpan>{}};
  const std::vector<BacktestRun> runs = simulate_worlds(task, worlds);
  Backtest result = backtest(before, after, runs, names, error_triangle(task, worlds, runs));
  if (bill) add_bill(result, backtest_recorded(*bill, written.world, strategy, runs));
  const BacktestReport report{
      .calibration = calibration, .found = result, .split = text_of_split(record, split)};
  if (page) {
    page->write(write_page(backtest_page(report, command)));
    page->commit();
  }
  target.write(write_backtest(report, format, target.layout()));
  if (result.grade < at_least) console.exit = ExitCode::not_as_asked;
}

}  // namespace

CLI::App* add_backtest_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "backtest", "Calibrated on a history before a day, how far off are the waits after it?");
  const auto arguments = std::make_shared<BacktestArguments>();
  arguments->scenario.add_to(*command);
  arguments->observed.add_to(*command);
  add_split_to(*command,
               "The end of the known part: a day, a length from the first submission, or a share of the jobs",
               arguments->split)
      ->required();
  arguments->calibration.add_to(*command);
  command->add_option("--most-worlds", arguments->worlds, "Worlds that predict, at most so many")
      ->capture_default_str()
      ->check(whole_number(1, 1'000));
  command
      ->add_option("--at-least", arguments->at_least,
                   "The grade that is asked for: exit code 1 if it is worse")
      ->type_name(choices(kBacktestGrades));
  command
      ->add_option("--billing", arguments->billing,
                   "A billing export (FOCUS, or Google's by `stockout prices --query`) of the time after the "
                   "split: is the bill predicted too? May be given again")
      ->type_name("FILE");
  arguments->report.add_format_to(*command);
  add_page_option(*command, arguments->page);
  command->footer(kBacktestExamples);
  command->callback(
      [arguments, command, &console] { backtest_scenario(*arguments, command_text(*command), console); });
  return command;
}

}  // namespace stockout
