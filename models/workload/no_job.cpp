#include "models/workload/no_job.h"

#include <array>

#include "models/workload/readers/trace_formats.h"

namespace stockout {
namespace {

constexpr std::array<std::string_view, 14> kNoJobTexts{
    "",
    "submit time is not known",
    kUnknownGpus,
    kNoGpus,
    "ends before it starts",
    "runs longer than 34.8 years",
    kUnknownRunTime,
    kNoRunTime,
    "still ran when the file was written",
    "still waited when the file was written",
    "never started: it was refused",
    "never started: its time to wait was over",
    "never started: it was cancelled",
    "never started",
};

NoJob unserved_of(const RecordedRow& row) {
  switch (row.outcome) {
    case RecordedOutcome::waiting:
      return row.end_ms == kUnknownMs ? NoJob::waiting : NoJob::cancelled;
    case RecordedOutcome::refused:
      return NoJob::refused;
    case RecordedOutcome::expired:
      return NoJob::expired;
    case RecordedOutcome::cancelled:
      return NoJob::cancelled;
    default:
      return NoJob::never_started;
  }
}

// Outcomes that jobs without a run have before they start.
bool ends_unserved(RecordedOutcome outcome) {
  return outcome == RecordedOutcome::waiting || outcome == RecordedOutcome::refused ||
         outcome == RecordedOutcome::expired || outcome == RecordedOutcome::cancelled;
}

NoJob without_run(const RecordedRow& row, bool has_times) {
  if (ends_unserved(row.outcome)) return unserved_of(row);
  if (row.outcome == RecordedOutcome::running) return NoJob::running;
  if (has_times && row.start_ms == kUnknownMs && row.outcome != RecordedOutcome::unknown) {
    return NoJob::never_started;
  }
  return run_of(row) == SimDuration::zero() ? NoJob::no_run : NoJob::unknown_run;
}

}  // namespace

std::string_view text_of(NoJob why) { return kNoJobTexts[static_cast<std::size_t>(why)]; }

SimDuration run_of(const RecordedRow& row) {
  if (row.run >= SimDuration::zero()) return row.run;
  if (row.start_ms == kUnknownMs || row.end_ms == kUnknownMs) return SimDuration{-1};
  return SimDuration{row.end_ms - row.start_ms};
}

NoJob no_job_of(const RecordedRow& row, bool has_times) {
  if (row.submit_ms == kUnknownMs) return NoJob::no_submit;
  if (row.gpus < 0) return NoJob::unknown_gpus;
  if (row.gpus == 0) return NoJob::no_gpus;
  const bool knows_both = row.start_ms != kUnknownMs && row.end_ms != kUnknownMs;
  if (knows_both && row.end_ms < row.start_ms) return NoJob::ends_early;
  const SimDuration run = run_of(row);
  if (run > kLongestRun) return NoJob::too_long;
  if (row.outcome == RecordedOutcome::running && row.end_ms == kUnknownMs && has_times) return NoJob::running;
  if (run > SimDuration::zero()) return NoJob::none;
  return without_run(row, has_times);
}

}  // namespace stockout
