#include <algorithm>
#include <memory>
#include <ostream>
#include <span>
#include <string>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <CLI/CLI.hpp>

#include "models/measures/number_text.h"
#include "models/workload/trace_summary.h"
#include "sim/core/counted.h"
#include "sim/io/time_stamp.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/terminal/length_text.h"
#include "tools/stockout/terminal/print_row.h"
#include "tools/stockout/terminal/progress.h"
#include "tools/stockout/traces/trace_arguments.h"
#include "tools/stockout/traces/trace_types.h"
#include "tools/table/small_charts.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr std::size_t kUsersShown = 10;

constexpr const char* kInfoHelp =
    "Formats, plain or gzip, recognised by their beginning:\n"
    "  csv         a header with submit and duration, or submit, start, end and outcome, and more\n"
    "  sacct       sacct -a -X -D --parsable2 -S 2026-01-01 --format=JobIDRaw,User,Account,\n"
    "              Partition,QOS,State,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,Restarts,\n"
    "              NNodes,ReqTRES,AllocTRES (with TZ=UTC, else say --zone)\n"
    "  vertex      gcloud ai custom-jobs list, or gcloud ai hp-tuning-jobs list, --format=json\n"
    "  kueue       kubectl get workloads.kueue.x-k8s.io -A -o json\n"
    "  kubernetes  kubectl get jobs -A -o json\n"
    "  swf         the Standard Workload Format\n"
    "  helios, openb, pai, eagle, philly, gaia_seconds, gaia_hours: published traces\n"
    "\n"
    "Examples:\n"
    "  stockout trace info jobs.swf.gz\n"
    "  stockout trace info sacct.txt --zone Europe/Berlin\n"
    "  stockout trace info philly.csv.gz --zone America/Los_Angeles\n"
    "  stockout trace info pai_1k.csv --format gaia_seconds\n"
    "      the header of GAIA files does not tell seconds from hours, so the format must be named";

// A submission as the file tells time.
std::string moment_text(const Trace& trace, std::int64_t submit_ms) {
  if (trace.absolute) return format_unix_ms(submit_ms);
  const std::string since = length_text(static_cast<double>(submit_ms)) + " after the file's zero";
  return trace.zero_ms.has_value() ? format_unix_ms(*trace.zero_ms + submit_ms) : since;
}

void print_rows_read(const Trace& trace, const TextLayout& layout, std::ostream& out) {
  const auto count = [](std::uint64_t n) { return number_text(static_cast<double>(n)); };
  print_row(out, layout, "rows", "{} read, {}, {} out of order (sorted)", count(trace.rows_read),
            counted(trace.size(), "job"), count(trace.unsorted_rows));
  for (const DroppedRows& dropped : trace.dropped)
    print_row(out, layout, "  dropped", "{}", text_of(dropped));
  for (const std::string& note : trace.notes) print_row(out, layout, "  note", "{}", note);
}

void print_lengths(std::ostream& out, const TextLayout& layout, std::string_view label,
                   const LengthSummary& lengths) {
  print_row(out, layout, label, "mean {}, p10 {}, p50 {}, p90 {}, p99 {}, max {}",
            length_text(lengths.mean_ms), length_text(lengths.p10), length_text(lengths.p50),
            length_text(lengths.p90), length_text(lengths.p99), length_text(lengths.most));
}

// What jobs are grouped by, and of each group its jobs and hours with their shares of all.
Relation group_table(const char* group, std::string title = {}) {
  Relation table{.title = std::move(title)};
  table.add_columns(kText, {group});
  for (const char* amount : {"jobs", "GPU-hours"}) {
    table.add_columns(kWhole, {amount});
    table.columns.push_back({.title = "share", .unit = "%", .style = kShare});
  }
  return table;
}

void add_group(Relation& table, const std::string& name, std::uint64_t jobs, double gpu_hours,
               const TraceSummary& of) {
  table.add({name, jobs, static_cast<double>(jobs) / static_cast<double>(of.jobs), gpu_hours,
             gpu_hours / of.gpu_hours});
}

void print_sizes(const TraceSummary& summary, const TextLayout& layout, std::ostream& out) {
  Relation table = group_table("GPUs of a job");
  for (const SizeClass& size : summary.sizes) {
    const std::string range =
        size.least == size.most ? fmt::format("{}", size.most) : fmt::format("{}-{}", size.least, size.most);
    add_group(table, range, size.jobs, size.gpu_hours, summary);
  }
  out << write_section(table, layout);
}

void print_users(const TraceSummary& summary, const TextLayout& layout, std::ostream& out) {
  if (summary.users.empty()) {
    out << '\n';
    return print_row(out, layout, "users", "not in the file: nobody can be told apart");
  }
  const std::size_t shown = std::min(kUsersShown, summary.users.size());
  Relation table =
      group_table("user", fmt::format("{}{}", counted(summary.users.size(), "user"),
                                      shown < summary.users.size()
                                          ? fmt::format(", the {} with the most GPU-hours", shown)
                                          : ""));
  for (const UserShare& user : std::span{summary.users}.first(shown))
    add_group(table, fmt::format("{:.40}", user.name.empty() ? "(none)" : user.name), user.jobs,
              user.gpu_hours, summary);
  out << write_section(table, layout);
}

Cell length_cell(const RecordedWaits& waits, SimDuration length) {
  return waits.known == 0 ? Cell{std::string{}} : Cell{length_text(length)};
}

void add_waits(Relation& table, const std::string& name, const RecordedWaits& waits) {
  table.add({fmt::format("{:.40}", name), waits.jobs, waits.known,
             waits.known == 0 ? Cell{std::string{}} : Cell{length_text(waits.wait.mean_ms)},
             length_cell(waits, waits.wait.p50), length_cell(waits, waits.wait.p90),
             length_cell(waits, waits.wait.p95), length_cell(waits, waits.wait.most), waits.refused,
             waits.expired, waits.cancelled, waits.unstarted});
}

void print_waits_by(const char* kind, const std::vector<RecordedWaits>& groups, const RecordedWaits& all,
                    const TextLayout& layout, std::ostream& out) {
  Relation table{.title =
                     fmt::format("Recorded wait by {}, to the first start; jobs that never started", kind)};
  table.add_columns(kText, {kind});
  table.add_columns(kWhole, {"jobs", "wait\nknown"});
  table.add_columns(kText, {"mean", "p50", "p90", "p95", "max"});
  table.add_columns(kWhole, {"refused", "expired", "cancelled", "other"});
  for (const RecordedWaits& waits : groups) {
    add_waits(table, waits.name.empty() ? "(none)" : waits.name, waits);
  }
  if (groups.size() != 1) add_waits(table, "all", all);
  out << write_section(table, layout);
}

void print_waits(const TraceSummary& summary, const TextLayout& layout, std::ostream& out) {
  if (summary.recorded.known == 0 && summary.recorded.unserved() == 0) return;
  const bool has_gpus = !summary.by_gpu.empty();
  if (!summary.by_class.empty() || !has_gpus) {
    print_waits_by("class", summary.by_class, summary.recorded, layout, out);
  }
  if (has_gpus) print_waits_by("GPU type", summary.by_gpu, summary.recorded, layout, out);
}

// How many jobs came when, over the whole span.
void print_arrivals(const Trace& trace, const TraceSummary& summary, Console& console) {
  constexpr std::size_t kLabel = 20;
  const std::size_t columns = std::min<std::size_t>(console.out_width - kLabel + 1, 72);
  const std::vector<double> counts = counts_over_span(trace.submit_ms, columns);
  print_row(console.out, "over the span", "{}", sparkline(counts, console.utf8));
  print_row(console.out, "", "one column: {}, at most {}",
            length_text(summary.span / static_cast<std::int64_t>(columns)),
            counted(static_cast<std::uint64_t>(std::ranges::max(counts)), "job"));
}

// A job that is held back is no demand yet: from when it asks all other figures count, and so does a
// scenario.
void print_submissions(const Trace& trace, const TraceSummary& summary, const TextLayout& layout,
                       std::ostream& out) {
  print_row(out, layout, "first submission", "{}", moment_text(trace, summary.first_submit_ms));
  print_row(out, layout, "last submission", "{}", moment_text(trace, summary.last_submit_ms));
  if (summary.held_jobs > 0) {
    print_row(
        out, layout, "held back", "{} asked later than submitted (a dependency, a hold): mean {}, max {}",
        counted(summary.held_jobs, "job"), length_text(summary.held.mean_ms), length_text(summary.held.most));
    print_row(out, layout, "first asked", "{}; span, load, waits and arrivals count from when jobs ask",
              moment_text(trace, summary.first_ask_ms));
  }
  print_row(out, layout, "span", "{}", length_text(summary.span));
}

void print_summary(const Trace& trace, const TraceSummary& summary, Console& console) {
  std::ostream& out = console.out;
  const TextLayout layout = console.layout();
  print_row(out, layout, "file", "{}", trace.file);
  print_row(out, layout, "format", "{}", kTraceFormatNames[static_cast<std::size_t>(trace.format)]);
  print_rows_read(trace, layout, out);
  if (trace.size() == 0) {
    print_row(out, layout, "jobs", "none ran: {} never started, and how long they run is in no file",
              counted(summary.recorded.unserved(), "job"));
    return print_waits(summary, layout, out);
  }
  print_submissions(trace, summary, layout, out);
  print_lengths(out, layout, "run time", summary.work);
  if (summary.recorded.known > 0) print_lengths(out, layout, "recorded wait", summary.recorded.wait);
  print_row(out, layout, "work", "{} GPU-hours", number_text(summary.gpu_hours));
  if (summary.offered_gpus > 0)
    print_row(out, layout, "offered load", "{} GPUs busy on average over the span",
              number_text(summary.offered_gpus, 1));
  print_row(out, layout, "most at once", "{}, if no job ever waited",
            counted(static_cast<std::uint64_t>(summary.most_gpus_at_once), "GPU"));
  print_row(out, layout, "peak hour", "{} {} in the hour from {}", counted(summary.peak_hour_jobs, "job"),
            summary.held_jobs > 0 ? "that asked" : "submitted", moment_text(trace, summary.peak_hour_ms));
  if (layout.charts) print_arrivals(trace, summary, console);
  print_waits(summary, layout, out);
  out << trace_types(trace, layout);
  print_sizes(summary, layout, out);
  print_users(summary, layout, out);
}

}  // namespace

CLI::App* add_trace_command(CLI::App& app, Console& console) {
  CLI::App* trace =
      app.add_subcommand("trace", "Contents and faults of a trace file, and made-up ones like it");
  trace->require_subcommand(1);
  trace->footer(
      "Example:\n"
      "  stockout trace audit jobs.txt\n"
      "  stockout trace info jobs.txt\n"
      "`stockout trace info --help` lists the formats.");
  CLI::App* info = trace->add_subcommand("info", "Reads and checks a trace file and says what is in it");
  const auto arguments = std::make_shared<TraceArguments>();
  arguments->add_to(*info);
  info->footer(kInfoHelp);
  info->callback([arguments, &console] {
    const Trace read =
        with_status(console, "reading " + arguments->file, [&] { return arguments->read(TraceUse::record); });
    print_summary(read, summarize(read), console);
  });
  add_trace_audit_command(*trace, console);
  add_trace_fit_command(*trace, console);
  add_trace_synth_command(*trace, console);
  return trace;
}

}  // namespace stockout
