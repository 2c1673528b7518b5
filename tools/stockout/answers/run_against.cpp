#include "tools/stockout/answers/run_against.h"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/experiment/comparison.h"
#include "models/history/waits_against.h"
#include "sim/core/counted.h"
#include "tools/report/run/waits_against_table.h"
#include "tools/stockout/arguments/work_limit.h"
#include "tools/stockout/calibration/recorded_history.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/progress.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

class AgainstRuns : public RunObserver {
 public:
  AgainstRuns(const World& world, const RecordedHistory& record) : book_{world, record.trace, record.same} {}

  void end(const RunPlace& run, const RunRecord& record, const Measures& /*measures*/) override {
    book_.add(run.replication, record);
  }
  [[nodiscard]] WaitsAgainst result() const { return book_.result(); }

 private:
  WaitsAgainstBook book_;
};

// Rows of the record that could not be read: their waits are missing on its side.
void add_broken(const Trace& record, std::vector<std::string>& notes) {
  for (const DroppedRows& rows : record.dropped) {
    if (rows.is_broken)
      notes.push_back(fmt::format("Left out of {} as broken: {}.", record.file, text_of(rows)));
  }
}

// What is written, in any format.
struct AgainstReport {
  const Scenario& scenario;
  const std::string& strategy;
  const RecordedHistory& record;
  const WaitsAgainst& waits;
  Relation table;
  std::vector<std::string> notes;

  [[nodiscard]] std::string headline() const {
    return fmt::format("{}: {}, {}, against {}", scenario.name, strategy,
                       counted(waits.replications, "replication"), record.trace.file);
  }
};

std::string against_text(const AgainstReport& report, const TextLayout& layout) {
  std::string text = layout.markdown ? fmt::format("## {}\n", report.headline())
                                     : wrap_text(report.headline(), layout.width, "");
  text += write_section(report.table, layout) + '\n';
  for (const std::string& note : report.notes) text += list_line(note, layout);
  return text;
}

nlohmann::ordered_json against_json(const AgainstReport& report) {
  nlohmann::ordered_json json{
      {"scenario", {{"file", report.scenario.file}, {"name", report.scenario.name}}},
      {"strategy", report.strategy},
      {"replications", report.waits.replications},
      {"record",
       {{"file", report.record.trace.file},
        {"format", kTraceFormatNames[static_cast<std::size_t>(report.record.trace.format)]}}},
      {"matched", nullptr},
      {"waits", write_json(report.table)},
      {"notes", report.notes}};
  if (report.waits.match) {
    const JobMatch& match = *report.waits.match;
    json["matched"] = {{"source", report.record.read_by->source},
                       {"jobs", match.matched},
                       {"wait_unknown", match.wait_unknown},
                       {"not_simulated", match.not_simulated},
                       {"of_other_sources", match.others}};
  }
  return json;
}

std::string write_against(const AgainstReport& report, ReportFormat format, const TextLayout& layout) {
  return write_in(format,
                  {.text = [&](const TextLayout& of) { return against_text(report, of); },
                   .csv = [&] { return report.table; },
                   .json = [&] { return against_json(report); },
                   .version = STOCKOUT_VERSION},
                  layout);
}

}  // namespace

CLI::Option* AgainstArguments::add_to(CLI::App& command) {
  CLI::Option* against = command
                             .add_option("--against", record.file,
                                         "In place of the report: recorded waits of this trace beside those "
                                         "of all replications, by class")
                             ->type_name("FILE");
  command
      .add_option(record.prefix + "format", record.format,
                  "Format of that file; default: recognised by its beginning")
      ->type_name(choices(kTraceFormatNames))
      ->needs(against);
  command
      .add_option(record.prefix + "zone", record.zone,
                  "Time zone of its dates without an offset: UTC, -08:00 or America/Los_Angeles")
      ->capture_default_str()
      ->type_name("ZONE")
      ->needs(against);
  return against;
}

void run_against(const AgainstArguments& arguments, const ScenarioArguments& scenario_arguments,
                 const ReportArguments& report_arguments, const std::string& strategy, Console& console) {
  const ReportFormat format = report_arguments.report_format();
  const Scenario scenario = scenario_arguments.load_to_run(console);
  const std::size_t number = find_strategy(scenario, strategy);
  std::vector<std::string> inputs = scenario.inputs;
  inputs.push_back(arguments.record.file);
  check_outputs(std::array{OutputFile{.option = "--output", .path = report_arguments.output}}, inputs);
  const RecordedHistory record = with_status(console, "reading " + arguments.record.file, [&] {
    return read_waits_and_refusals(arguments.record, scenario);
  });
  ReportTarget target{report_arguments, console};
  AgainstRuns runs{scenario.world, record};
  ComparisonProgress progress{console, scenario.world};
  CompareOptions options = compare_options(scenario);
  options.strategies = {number};
  options.control_variates = false;
  options.observers = {&runs, &progress};
  static_cast<void>(compare_or_explain(scenario, options));
  const WaitsAgainst waits = runs.result();
  std::vector<std::string> notes = waits_against_notes(
      waits, record.trace.file, record.read_by == nullptr ? std::string{} : record.read_by->source);
  add_broken(record.trace, notes);
  target.write(write_against({.scenario = scenario,
                              .strategy = scenario.world.strategies[number].name,
                              .record = record,
                              .waits = waits,
                              .table = waits_against_table(waits),
                              .notes = std::move(notes)},
                             format, target.layout()));
}

}  // namespace stockout
