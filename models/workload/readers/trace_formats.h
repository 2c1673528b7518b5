#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "models/workload/readers/trace_fields.h"
#include "models/workload/trace_builder.h"
#include "sim/io/json_value.h"
#include "sim/io/time_stamp.h"

namespace stockout {

// One reader for each format: goes through the file named in builder.columns().file and gives its rows to the
// builder. All throw InputError, and nothing else, for whatever the file holds.

void read_csv_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_swf_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_philly_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_gaia_seconds_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_gaia_hours_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_sacct_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_helios_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_openb_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_pai_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_eagle_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_vertex_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_kueue_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_kubernetes_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);

/// The beginning of a file, by which formats are told.
struct TraceHead {
  bool is_json = false;
  JsonValue item = {};    // of JSON: the first item of its list that is of a format, else the first
  bool has_item = false;  // there is one
  std::string line = {};  // else the first line with something on it ...
  std::vector<std::string> fields = {};  // ... and what stands between its commas

  /// Whether all of these are among `fields`.
  [[nodiscard]] bool has(std::initializer_list<std::string_view> names) const;
};

/// A format: its name is that of kTraceFormatNames.
struct TraceFormatSpec {
  bool (*fits)(const TraceHead& head);
  void (*read)(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
};

/// By TraceFormat.
[[nodiscard]] const std::array<TraceFormatSpec, kTraceFormatNames.size()>& trace_format_specs();

/// Milliseconds of the unit of formats that count seconds.
inline constexpr std::int64_t kSecond = 1000;

/// Whether a date and time, as TimeStampReader takes it, has no offset.
[[nodiscard]] inline bool is_local_time(std::string_view stamp) {
  constexpr std::size_t kDate = 10;  // 2026-08-03
  return stamp.find_first_of("Z+-", kDate) == std::string_view::npos;
}

/// Lines for Trace::notes about local times that were not plain. `settled`: those that come twice and were
/// read as the second.
void note_local_times(Trace& trace, const TimeStampReader& stamps, std::uint64_t settled);

/// Reasons for dropping a row that several formats share.
inline constexpr std::string_view kNoRunTime = "run time is zero";
inline constexpr std::string_view kUnknownRunTime = "run time is not known";
inline constexpr std::string_view kNoGpus = "asks for no GPU";
inline constexpr std::string_view kUnknownGpus = "number of GPUs is not known";

}  // namespace stockout
