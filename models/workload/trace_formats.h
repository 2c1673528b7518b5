#pragma once

#include "models/workload/trace_builder.h"
#include "models/workload/trace_fields.h"

namespace stockout {

// One reader for each format: goes through the file named in builder.columns().file and gives its rows to the
// builder. All throw InputError, and nothing else, for whatever the file holds.

void read_csv_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);
void read_swf_trace(TraceBuilder& builder, TraceFields& fields);
void read_philly_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options);

/// Milliseconds of the unit of formats that count seconds.
inline constexpr std::int64_t kSecond = 1000;

/// `unit_ms`: milliseconds of one unit of arrival_time and length.
void read_gaia_trace(TraceBuilder& builder, TraceFields& fields, std::int64_t unit_ms);

/// Lines for Trace::notes about local times that were not plain.
void note_local_times(Trace& trace, std::uint64_t repeated, std::uint64_t skipped);

/// Reasons for dropping a row that several formats share.
inline constexpr std::string_view kNoRunTime = "run time is zero";
inline constexpr std::string_view kUnknownRunTime = "run time is not known";
inline constexpr std::string_view kNoGpus = "asks for no GPU";
inline constexpr std::string_view kUnknownGpus = "number of GPUs is not known";

}  // namespace stockout
