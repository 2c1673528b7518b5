#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/workload/length_summary.h"
#include "models/workload/recorded_waits.h"
#include "models/workload/trace.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// Jobs that ask for `least` to `most` GPUs.
struct SizeClass {
  std::int32_t least = 1;
  std::int32_t most = 1;
  std::uint64_t jobs = 0;
  double gpu_hours = 0;
};

struct UserShare {
  std::string name;
  std::uint64_t jobs = 0;
  double gpu_hours = 0;
};

/// Contents of a trace, for a person who has to judge whether it is the right one.
struct TraceSummary {
  std::uint64_t jobs = 0;
  std::int64_t first_submit_ms = 0;  // as the file has it: before a job that was held back asks
  std::int64_t last_submit_ms = 0;
  std::int64_t first_ask_ms = 0;  // as Trace::submit_ms
  SimDuration span{};             // from the first job that asks to the last
  std::uint64_t held_jobs = 0;    // that ask later than they were submitted ...
  LengthSummary held;             // ... and by how much
  LengthSummary work;
  RecordedWaits recorded;               // of all jobs
  std::vector<RecordedWaits> by_class;  // empty where no row names a class
  std::vector<RecordedWaits> by_gpu;    // empty where no row names a GPU type
  std::vector<SizeClass> sizes;         // 1, 2, 3-4, 5-8, 9-16, ...; those that occur
  double gpu_hours = 0;
  double offered_gpus = 0;             // GPU-time over `span`: GPUs busy on average; 0 if the span is 0
  std::int64_t most_gpus_at_once = 0;  // if no job ever waited
  std::int64_t peak_hour_ms =
      0;  // start of the hour with most submissions, the earliest of equals; hours count from 0 of submit_ms
  std::uint64_t peak_hour_jobs = 0;
  std::vector<UserShare> users;  // by GPU-hours, the largest first; empty if the trace has none
};

/// Works out the summary of a trace. Of one without a job only `recorded`, `by_class` and `by_gpu` say
/// anything.
[[nodiscard]] TraceSummary summarize(const Trace& trace);

}  // namespace stockout
