#include "tools/python/functions.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "models/sweep/export.h"
#include "models/sweep/store_tables.h"
#include "models/workload/audit/trace_audit.h"
#include "sim/io/whole_file.h"
#include "tools/python/jobs_frame.h"
#include "tools/report/check/check_tables.h"
#include "tools/report/comparison/comparison_csv.h"
#include "tools/report/comparison/used_prices.h"
#include "tools/report/prices/break_even_table.h"
#include "tools/report/record/price_tables.h"
#include "tools/stockout/answers/assumption_runs.h"
#include "tools/stockout/answers/strategy_run.h"
#include "tools/stockout/arguments/report_arguments.h"
#include "tools/stockout/arguments/work_limit.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/files/record_output.h"
#include "tools/stockout/sweeps/sweep_run.h"
#include "tools/stockout/traces/audit_table.h"

namespace stockout {
namespace {

/// Ends the runs that it watches once they are to stop: before each, and now and then in a long one.
class StopOnRequest : public RunObserver {
 public:
  explicit StopOnRequest(const StopFlag& stop) : stop_{stop} {}

  void begin(const RunPlace& /*run*/, Logs& logs) override {
    check();
    also_hear(logs.on_time, [this](SimTime /*now*/) { check(); });
  }

 private:
  void check() const {
    if (stop_.load()) throw StoppedWork{};
  }

  const StopFlag& stop_;
};

/// A console that nobody sees.
struct Silence {
  std::ostringstream unread;
  Console console{.out = unread, .err = unread};
};

void check_record(const std::string& record, const Scenario& scenario) {
  check_outputs(std::array{OutputFile{.option = "--record", .path = record}}, scenario.inputs);
}

// The last thing that is done: who interrupts before it finds no file.
void publish(std::optional<RecordOutput>& output, const StopFlag& stop) {
  if (!output) return;
  if (stop.load()) throw StoppedWork{};
  output->publish();
}

// What is told of a comparison, or of one run.
Found found_in(const Report& report) {
  return {{"table", frame_of(every_row(report))},
          {"prices", frame_of(prices_table(report))},
          {"warnings", report.scenario.warnings},
          {"assumptions", report.scenario.assumptions},
          {"fingerprint", fmt::format("{:016x}", report.comparison.fingerprint)},
          {"text", write_report(report, ReportFormat::table)},
          {"json", write_report(report, ReportFormat::json)}};
}

Found found_in(const BaselineCheck& check, const CheckReport& report) {
  return {{"holds", check.holds()},
          {"measures", frame_of(checked_measures(check))},
          {"facts", frame_of(checked_facts(check))},
          {"text", write_check(report)}};
}

Frame dropped_frame(const Trace& trace) {
  Relation table{.columns = files_only({"reason", "rows", "first_line", "is_broken", "first"})};
  for (const DroppedRows& dropped : trace.dropped)
    table.add({dropped.reason, dropped.count, dropped.first_line, dropped.is_broken, first_of(dropped)});
  return frame_of(table);
}

// Names and messages stay texts, even where all of them are digits.
std::set<std::string_view> text_columns() {
  std::set<std::string_view> names;
  const auto add_texts = [&](const auto& table) {
    for_each_field(table.fields, [&]<typename Each>(const Each& field) {
      if (decltype(field.kind)::kSqlType == "TEXT") names.insert(field.name);
    });
  };
  add_texts(kPointsTable);
  add_texts(kResultsTable);
  return names;
}

Frame sweep_frame(const std::string& store) {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> columns;
  static_cast<void>(export_rows(store, [&](const std::vector<std::string>& cells) {
    if (names.empty()) {
      names = cells;
      columns.resize(cells.size());
      return;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) columns[i].push_back(cells[i]);
  }));
  const std::set<std::string_view> texts = text_columns();
  Frame frame;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_text = texts.contains(names[i]);
    frame.push_back(is_text ? text_column(names[i], columns[i]) : number_column(names[i], columns[i]));
  }
  return frame;
}

}  // namespace

Found found_by_compare(const ComparisonArguments& asked, const std::string& record, const StopFlag& stop) {
  Scenario scenario = asked.scenario.load_to_run();
  prepare_comparison(asked, scenario);
  if (asked.assumptions) add_usual_alternatives(asked.scenario, scenario);
  if (asked.assumptions) check_alternatives(asked.scenario, scenario);
  check_record(record, scenario);
  std::vector<RunObserver*> observers;
  std::optional<RecordOutput> output;
  if (!record.empty()) observers.push_back(&output.emplace(record, scenario, asked.scenario.sets));
  const ComparisonRun run{asked, scenario, asked.assumptions, std::move(observers),
                          [&](const Scenario& /*of*/) { return std::make_unique<StopOnRequest>(stop); }};
  if (output) static_cast<void>(output->finish(run.comparison()));
  Report report = run.report();
  report.full = false;
  Found found = found_in(report);
  found.emplace_back("answer", report.headline);
  found.emplace_back("strategy", run.comparison().strategies[report.verdict->strategy].name);
  found.emplace_back("kind", std::string{report.verdict->kind_name()});
  publish(output, stop);
  return found;
}

Found found_by_run(const RunRequest& asked, const StopFlag& stop) {
  const Scenario scenario = asked.scenario.load_to_run();
  check_group_by(asked.by, scenario);
  const RunPlace run{.strategy = find_strategy(scenario, asked.strategy), .replication = asked.replication};
  check_record(asked.record, scenario);
  StopOnRequest stopper{stop};
  JobsFrame jobs{scenario.world};
  std::vector<RunObserver*> observers{&stopper, &jobs};
  std::optional<RecordOutput> output;
  if (!asked.record.empty())
    observers.push_back(&output.emplace(asked.record, scenario, asked.scenario.sets));
  Measures measured = run_or_explain(scenario, run, asked.by, observers);
  if (output) output->add(run, measured);
  const Comparison comparison = comparison_of(scenario, run, std::move(measured));
  if (output) static_cast<void>(output->finish(comparison));
  Found found = found_in({.scenario = scenario,
                          .comparison = comparison,
                          .verdict = nullptr,
                          .headline = run_headline(scenario, run),
                          .by = asked.by,
                          .version = STOCKOUT_VERSION});
  found.emplace_back("jobs", jobs.take());
  publish(output, stop);
  return found;
}

Found found_by_check(const CheckArguments& asked, const StopFlag& stop) {
  const std::optional<Tolerance> tolerance = asked.asked_tolerance();
  const std::optional<Baseline> then = asked.read_if_there();
  const Scenario scenario = asked.scenario.load_to_run();
  check_total_work(scenario);
  std::optional<WholeFile> file;
  if (asked.update) {
    check_outputs(std::array{OutputFile{.option = "--baseline", .path = asked.baseline}}, scenario.inputs);
    file.emplace(asked.baseline);
  }
  StopOnRequest stopper{stop};
  Baseline now = measure_now(asked, scenario, stopper);
  const BaselineCheck check =
      asked.update ? accept_baseline(then, now) : check_against(*then, now, tolerance);
  if (file) {
    file->write(write_baseline(now));
    file->commit();
  }
  return found_in(check, {.check = check,
                          .now = now,
                          .scenario_file = asked.scenario.file,
                          .baseline_file = asked.baseline,
                          .accepted = asked.update});
}

Found found_by_sweep(const SweepRequest& asked, const StopFlag& stop) {
  Silence silence;
  SweepRun run{asked.file, asked.catalog_dir, asked.price_files, {}, silence.console};
  const SweepOutcome outcome = run.fill(asked.store, asked.resume,
                                        {.shard = {},
                                         .threads = asked.threads,
                                         .progress = [](std::size_t /*done*/, std::size_t /*of*/) {},
                                         .interrupted = [&] { return stop.load(); }});
  return {{"table", sweep_frame(asked.store)},
          {"store", asked.store},
          {"done_before", static_cast<std::int64_t>(outcome.done_before)},
          {"done", static_cast<std::int64_t>(outcome.done)},
          {"left", static_cast<std::int64_t>(outcome.left)},
          {"failed", static_cast<std::int64_t>(run.failed_points())}};
}

Found found_by_price(const PriceArguments& asked) {
  Silence silence;
  const PriceRun run{asked, silence.console};
  const PriceReport report = run.report();
  const Comparison& now = report.repricing.now;
  const Verdict verdict = verdict_now(report);
  Found found{{"answer", verdict.sentence},
              {"strategy", now.strategies[verdict.strategy].name},
              {"kind", std::string{verdict.kind_name()}},
              {"table", frame_of(priced_strategies(report))},
              {"prices", frame_of(price_pairs_table(report))},
              {"text", write_price_report(report, ReportFormat::table)},
              {"json", write_price_report(report, ReportFormat::json)}};
  if (report.break_evens != nullptr)
    found.emplace_back("break_even", frame_of(break_even_table(*report.break_evens, now)));
  return found;
}

Found found_by_trace(const TraceArguments& asked, std::int64_t capacity) {
  const Trace trace = asked.read(TraceUse::audit);
  const TraceAudit audit = audit_trace(trace, capacity > 0 ? std::optional{capacity} : std::nullopt);
  return {{"file", trace.file},
          {"format", std::string{kTraceFormatNames[static_cast<std::size_t>(trace.format)]}},
          {"times_from", std::string{trace.absolute ? "unix" : "file"}},
          {"jobs", trace_frame(trace)},
          {"verdict", audit_verdict(audit)},
          {"usable", audit.verdict != AuditGrade::unfit},
          {"audit", frame_of(audit_table(audit))},
          {"dropped", dropped_frame(trace)},
          {"rows_read", static_cast<std::int64_t>(trace.rows_read)},
          {"notes", trace.notes}};
}

}  // namespace stockout
