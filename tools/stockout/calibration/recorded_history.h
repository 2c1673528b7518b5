#pragma once

#include <optional>

#include "models/history/waits_against.h"
#include "models/scenario/scenario.h"
#include "models/workload/trace.h"
#include "tools/stockout/traces/trace_arguments.h"

namespace stockout {

/// A history that tells how long jobs waited, and which source's jobs its jobs are.
struct RecordedHistory {
  Trace trace;
  const ReadTrace* read_by = nullptr;  // of the scenario; none: no source replays it job by job
  std::optional<SameJobs> same;
};

/// Reads its jobs, as the source of the scenario does that reads the same file, if there is one. The scenario
/// outlives it.
[[nodiscard]] RecordedHistory read_recorded_jobs(const TraceArguments& arguments, const Scenario& scenario,
                                                 TraceUse use = TraceUse::jobs);

/// The same. Throws InputError if it tells of no wait.
[[nodiscard]] RecordedHistory read_history(const TraceArguments& arguments, const Scenario& scenario);

/// The same, where jobs that never started are enough, such as refusals alone.
[[nodiscard]] RecordedHistory read_waits_and_refusals(const TraceArguments& arguments,
                                                      const Scenario& scenario);

}  // namespace stockout
