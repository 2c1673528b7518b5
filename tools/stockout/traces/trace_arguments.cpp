#include "tools/stockout/traces/trace_arguments.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/workload/readers/fitting_formats.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "sim/io/time_stamp.h"
#include "tools/stockout/arguments/scenario_arguments.h"

namespace stockout {
namespace {

std::string_view name_of(TraceFormat format) { return kTraceFormatNames[static_cast<std::size_t>(format)]; }

TraceFormat choose_format(const TraceArguments& arguments) {
  if (!arguments.format.empty()) {
    const auto format = find_trace_format(arguments.format);
    const std::vector<std::string> names{kTraceFormatNames.begin(), kTraceFormatNames.end()};
    if (format.has_value()) return *format;
    throw InputError{{.file = "command line", .pointer = arguments.prefix + "format"},
                     unknown_name("trace format", arguments.format, names)};
  }
  const std::vector<TraceFormat> fitting = fitting_formats(arguments.file);
  if (fitting.size() == 1) return fitting.front();
  std::error_code unknown_size;
  if (std::filesystem::file_size(arguments.file, unknown_size) == 0 && !unknown_size)
    throw InputError{{.file = arguments.file}, "is empty: must be a trace"};
  if (const std::string near = fitting.empty() ? like_which_format(arguments.file) : ""; !near.empty())
    throw InputError{{.file = arguments.file}, near};
  if (fitting.empty()) {
    throw InputError{
        {.file = arguments.file},
        fmt::format("begins like none of the formats {}; if it is one of them, say so with {}format",
                    fmt::join(kTraceFormatNames, ", "), arguments.prefix)};
  }
  std::string names;
  for (const TraceFormat format : fitting)
    names += fmt::format("{}{}", names.empty() ? "" : " or ", name_of(format));
  throw InputError{
      {.file = arguments.file},
      fmt::format("may be {}, and nothing in it tells which: say so with {}format", names, arguments.prefix)};
}

}  // namespace

void TraceArguments::add_to(CLI::App& command) {
  command.add_option("FILE", file, "The trace, plain or gzip")->required();
  command.add_option("--format", format, "Format of the file; default: recognised by its beginning")
      ->type_name(choices(kTraceFormatNames));
  command
      .add_option("--zone", zone, "Time zone of dates without an offset: UTC, -08:00 or America/Los_Angeles")
      ->capture_default_str()
      ->type_name("ZONE");
}

Trace TraceArguments::read(TraceUse use) const {
  TraceOptions options;
  options.keep_rows = use == TraceUse::jobs_and_rows || use == TraceUse::audit;
  options.may_lack_jobs = use == TraceUse::record || use == TraceUse::audit;
  options.zone = zone;
  check_time_zone(zone, {.file = "command line", .pointer = prefix + "zone"});
  return read_trace(file, choose_format(*this), options);
}

}  // namespace stockout
