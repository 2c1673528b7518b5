#include "tools/stockout/run_against.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/experiment/comparison.h"
#include "models/history/waits_against.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "tools/report/run/waits_against_table.h"
#include "tools/stockout/output_files.h"
#include "tools/stockout/progress.h"
#include "tools/stockout/work_limit.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_csv.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

// The record, and which source's jobs its jobs are.
struct ReadRecord {
  Trace trace;
  const ReadTrace* read_by = nullptr;  // none: no source replays it job by job
  std::optional<SameJobs> same;
};

class AgainstRuns : public RunObserver {
 public:
  AgainstRuns(const World& world, const ReadRecord& record) : book_{world, record.trace, record.same} {}

  void end(const RunPlace& run, const RunRecord& record, const Measures& /*measures*/) override {
    book_.add(run.replication, record);
  }
  [[nodiscard]] WaitsAgainst result() const { return book_.result(); }

 private:
  WaitsAgainstBook book_;
};

const ReadTrace* source_that_reads(const Scenario& scenario, const std::string& file) {
  const auto found = std::ranges::find_if(scenario.traces, [&](const ReadTrace& trace) {
    std::error_code none;
    return std::filesystem::equivalent(trace.file, file, none);
  });
  return found == scenario.traces.end() ? nullptr : &*found;
}

// Blocks in another order and jobs that come more or less often are not the record's jobs any more.
std::optional<SameJobs> same_jobs(const World& world, const ReadTrace& read) {
  for (std::size_t i = 0; i < world.sources.size(); ++i) {
    const Source& source = world.sources[i];
    if (source.background || source.name != read.source) continue;
    const auto& demand = std::get<TraceDemand>(source.demand);
    if (demand.resampled || !demand.factor.is_one()) return std::nullopt;
    return SameJobs{.source = SourceId{static_cast<std::underlying_type_t<SourceId>>(i)},
                    .shift_ms = read.shift_ms};
  }
  return std::nullopt;
}

void check_knows_waits(const Trace& trace) {
  const bool knows =
      std::ranges::any_of(trace.recorded_wait, [](SimDuration wait) { return wait >= SimDuration::zero(); });
  if (knows) return;
  throw InputError{
      {.file = trace.file},
      "records no waits: no job has both a submission and a start. Name a record that has them, as "
      "`stockout trace info` shows"};
}

ReadRecord read_record(const TraceArguments& arguments, const Scenario& scenario) {
  ReadRecord record;
  const ReadTrace* read = source_that_reads(scenario, arguments.file);
  if (read == nullptr) {
    record.trace = arguments.read();
  } else if (!arguments.format.empty() || arguments.zone != TraceArguments{}.zone) {
    throw InputError{{.file = "command line", .pointer = arguments.prefix + "format"},
                     fmt::format("{} is read by the source \"{}\" of the scenario, which says its format and "
                                 "time zone: leave them out",
                                 arguments.file, read->source)};
  } else {
    record.trace = read_trace(arguments.file, read->format, read->options);
    record.same = same_jobs(scenario.world, *read);
    if (record.same) record.read_by = read;
  }
  check_knows_waits(record.trace);
  return record;
}

// What is written, in any format.
struct AgainstReport {
  const Scenario& scenario;
  const std::string& strategy;
  const ReadRecord& record;
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

std::string against_json(const AgainstReport& report) {
  nlohmann::ordered_json json{
      {"layout", 1},
      {"stockout", STOCKOUT_VERSION},
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
  return json.dump(2) + '\n';
}

std::string write_against(const AgainstReport& report, ReportFormat format, const TextLayout& layout) {
  switch (format) {
    case ReportFormat::table:
      return against_text(report, layout);
    case ReportFormat::markdown:
      return against_text(report, kMarkdown);
    case ReportFormat::csv:
      return write_csv(report.table);
    case ReportFormat::json:
      return against_json(report);
  }
  return {};
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
                  "What that file is, if that cannot be told from it")
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
  const ReadRecord record = with_status(console, "reading " + arguments.record.file,
                                        [&] { return read_record(arguments.record, scenario); });
  ReportTarget target{report_arguments, console};
  AgainstRuns runs{scenario.world, record};
  ComparisonProgress progress{console, scenario.world};
  CompareOptions options = compare_options(scenario);
  options.strategies = {number};
  options.control_variates = false;
  options.observers = {&runs, &progress};
  static_cast<void>(compare_or_explain(scenario, options));
  const WaitsAgainst waits = runs.result();
  target.write(write_against(
      {.scenario = scenario,
       .strategy = scenario.world.strategies[number].name,
       .record = record,
       .waits = waits,
       .table = waits_against_table(waits),
       .notes = waits_against_notes(waits, record.trace.file,
                                    record.read_by == nullptr ? std::string{} : record.read_by->source)},
      format, target.layout()));
}

}  // namespace stockout
