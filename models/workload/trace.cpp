#include "models/workload/trace.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/workload/trace_builder.h"
#include "models/workload/trace_fields.h"
#include "models/workload/trace_formats.h"

namespace stockout {

std::optional<TraceFormat> find_trace_format(std::string_view name) {
  const auto* const found = std::find(kTraceFormatNames.begin(), kTraceFormatNames.end(), name);
  if (found == kTraceFormatNames.end()) return std::nullopt;
  return static_cast<TraceFormat>(found - kTraceFormatNames.begin());
}

Trace read_trace(const std::string& path, TraceFormat format, const TraceOptions& options) {
  constexpr std::int64_t kSecond = 1000;
  constexpr std::int64_t kHour = 3'600'000;
  TraceFields fields{path, options.resolution};
  TraceBuilder builder{path, format, options};
  switch (format) {
    case TraceFormat::csv:
      read_csv_trace(builder, fields, options);
      break;
    case TraceFormat::swf:
      read_swf_trace(builder, fields);
      break;
    case TraceFormat::philly:
      read_philly_trace(builder, fields, options);
      break;
    case TraceFormat::gaia_seconds:
      read_gaia_trace(builder, fields, kSecond);
      break;
    case TraceFormat::gaia_hours:
      read_gaia_trace(builder, fields, kHour);
      break;
  }
  return builder.finish();
}

void note_local_times(Trace& trace, std::uint64_t repeated, std::uint64_t skipped) {
  if (repeated > 0) {
    trace.notes.push_back(fmt::format(
        "{} local times come twice, as clocks are set back; each was read as the first", repeated));
  }
  if (skipped > 0) {
    trace.notes.push_back(fmt::format(
        "{} local times do not exist, as clocks jump over them; each was read as the moment of the jump",
        skipped));
  }
}

}  // namespace stockout
