#include "models/workload/trace.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "models/workload/readers/trace_fields.h"
#include "models/workload/readers/trace_formats.h"
#include "models/workload/trace_builder.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"

namespace stockout {

std::optional<TraceFormat> find_trace_format(std::string_view name) {
  const auto* const found = std::find(kTraceFormatNames.begin(), kTraceFormatNames.end(), name);
  if (found == kTraceFormatNames.end()) return std::nullopt;
  return static_cast<TraceFormat>(found - kTraceFormatNames.begin());
}

Trace read_trace(const std::string& path, TraceFormat format, const TraceOptions& options) {
  std::optional<TraceBuilder> builder{std::in_place, path, format, options};
  try {
    TraceFields fields{path, options.resolution};
    builder->columns().zone = options.zone;
    trace_format_specs()[static_cast<std::size_t>(format)].read(*builder, fields, options);
    return builder->finish();
  } catch (const std::bad_alloc&) {
    const std::uint64_t rows = builder->columns().rows_read;
    builder.reset();  // so that there is room for the message
    throw InputError{{.file = path},
                     fmt::format("does not fit into memory: it was full after {} rows; keep fewer users "
                                 "(\"only_users\" of a scenario), split the file, or use a larger machine",
                                 rows)};
  }
}

std::string first_of(const DroppedRows& rows) {
  std::string text = fmt::format("line {}", rows.first_line);
  if (!rows.first_item.empty()) text += ", " + rows.first_item;
  if (!rows.first_text.empty()) text += ": " + rows.first_text;
  return text;
}

std::string text_of(const DroppedRows& rows) {
  return fmt::format("{} ({}, first in {})", rows.reason, counted(rows.count, "row"), first_of(rows));
}

void note_local_times(Trace& trace, const TimeStampReader& stamps, std::uint64_t settled) {
  if (stamps.repeated() > settled) {
    trace.notes.push_back(fmt::format(
        "{}, as clocks are set back; each was read as the first",
        counted(stamps.repeated() - settled, "local time comes twice", "local times come twice")));
  }
  if (settled > 0) {
    trace.notes.push_back(
        counted(settled, "local time comes twice, and was read as the second: only so it is in order",
                "local times come twice, and were read as the second: only so they are in order"));
  }
  if (stamps.skipped() > 0) {
    trace.notes.push_back(
        fmt::format("{}, as clocks jump over them; each was read as the moment of the jump",
                    counted(stamps.skipped(), "local time does not exist", "local times do not exist")));
  }
}

}  // namespace stockout
