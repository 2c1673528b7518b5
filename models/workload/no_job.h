#pragma once

#include <cstdint>
#include <string_view>

#include "models/workload/recorded_row.h"

namespace stockout {

/// Why a row of a record is no job to simulate.
enum class NoJob : std::uint8_t {
  none,  // it is one
  no_submit,
  unknown_gpus,
  no_gpus,
  ends_early,
  too_long,
  unknown_run,
  no_run,
  running,
  waiting,
  refused,
  expired,
  cancelled,
  never_started,
};

[[nodiscard]] NoJob no_job_of(const RecordedRow& row, bool has_times);

/// For people: "run time is zero".
[[nodiscard]] std::string_view text_of(NoJob why);

/// Whether a later attempt of the same job may be one to simulate.
[[nodiscard]] constexpr bool may_go_on(NoJob why) { return why >= NoJob::unknown_run; }

/// Whether it never had a machine.
[[nodiscard]] constexpr bool never_started(NoJob why) { return why >= NoJob::waiting; }

/// How long it ran: as the file counts it, else from start to end; -1 ms where that is not known. Negative
/// too where it ends before it starts.
[[nodiscard]] SimDuration run_of(const RecordedRow& row);

}  // namespace stockout
