#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "models/measures/number_text.h"
#include "models/workload/audit/trace_audit.h"
#include "sim/core/counted.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/terminal/print_row.h"
#include "tools/stockout/terminal/progress.h"
#include "tools/stockout/traces/audit_table.h"
#include "tools/stockout/traces/trace_arguments.h"
#include "tools/stockout/traces/trace_types.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr const char* kAuditHelp =
    "Looks for broken rows, missing submissions, holes, jumps of the clock, impossible and odd times,\n"
    "more GPUs in use than there are, cut ends, repeated ids, and tries of one job. The first line is\n"
    "the verdict. The exit code is 1 if the trace must not be used as it is.\n"
    "\n"
    "Grades:\n"
    "  fine     nothing was found\n"
    "  unknown  the file does not have what the check goes by\n"
    "  look     can be used by someone who knows of it\n"
    "  unfit    spoils a simulation: mend the export first\n"
    "\n"
    "Examples:\n"
    "  stockout trace audit sacct.txt --zone Europe/Berlin\n"
    "  stockout trace audit jobs.csv.gz --capacity 512\n"
    "      and whether more than 512 GPUs were ever in use";

struct AuditArguments {
  TraceArguments trace;
  std::int64_t capacity = 0;
};

void print_audit(const Trace& trace, const TraceAudit& audit, Console& console) {
  std::ostream& out = console.out;
  const TextLayout layout = fitting(console.layout());
  print_row(out, layout, "verdict", "{}", audit_verdict(audit));
  print_row(out, layout, "file", "{}", trace.file);
  print_row(out, layout, "format", "{}", kTraceFormatNames[static_cast<std::size_t>(trace.format)]);
  const auto count = [](std::uint64_t n) { return number_text(static_cast<double>(n)); };
  print_row(out, layout, "rows", "{} read, {}", count(trace.rows_read), counted(trace.size(), "job"));
  for (const DroppedRows& dropped : trace.dropped)
    print_row(out, layout, "  dropped", "{}", text_of(dropped));
  for (const std::string& note : trace.notes) print_row(out, layout, "  note", "{}", note);
  out << write_section(audit_table(audit), layout) << trace_types(trace, layout);
}

}  // namespace

CLI::App* add_trace_audit_command(CLI::App& trace, Console& console) {
  CLI::App* command = trace.add_subcommand("audit", "Faults of a trace, found before anyone simulates it");
  const auto arguments = std::make_shared<AuditArguments>();
  arguments->trace.add_to(*command);
  command->add_option("--capacity", arguments->capacity, "GPUs that there were; more in use is wrong")
      ->check(whole_number(1, 1'000'000'000));
  command->footer(kAuditHelp);
  command->callback([arguments, &console] {
    const Trace read = with_status(console, "reading " + arguments->trace.file,
                                   [&] { return arguments->trace.read(TraceUse::audit); });
    const TraceAudit audit =
        audit_trace(read, arguments->capacity > 0 ? std::optional{arguments->capacity} : std::nullopt);
    print_audit(read, audit, console);
    if (audit.verdict == AuditGrade::unfit) console.exit = ExitCode::not_as_asked;
  });
  return command;
}

}  // namespace stockout
