#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/workload/audit/trace_audit.h"

namespace stockout {

/// A trace and what several checks of it need.
struct AuditedTrace {
  const Trace& trace;
  const std::vector<AuditRow>& rows;  // in the file's order
  std::optional<std::int64_t> capacity;
  std::vector<std::int64_t> submits_ms;  // those that are known, sorted
  std::int64_t last_ms = 0;              // the last time in the file
};

[[nodiscard]] AuditedTrace prepare_audit(const Trace& trace, std::optional<std::int64_t> capacity);

/// unfit if `count` is more than `most_share` of `of`, look if it is more than 0.
[[nodiscard]] AuditGrade grade_of(std::uint64_t count, std::uint64_t of, double most_share);

/// "2026-08-03 09:00:00 UTC", or "3.5 h after the file's zero".
[[nodiscard]] std::string moment_of(const Trace& trace, std::int64_t at_ms);

// Checks of rows by themselves, and of rows that belong together.

/// Whether there is any job to simulate.
[[nodiscard]] AuditFinding find_lack_of_jobs(const AuditedTrace& audited);
[[nodiscard]] AuditFinding find_broken_rows(const AuditedTrace& audited);
[[nodiscard]] AuditFinding find_missing_submits(const AuditedTrace& audited);
[[nodiscard]] AuditFinding find_odd_run_times(const AuditedTrace& audited);
/// Whether the file says how many GPUs a job has.
[[nodiscard]] AuditFinding find_assumed_gpus(const AuditedTrace& audited);
[[nodiscard]] AuditFinding find_repeated_ids(const AuditedTrace& audited);
/// Rows that look like tries of the row before, without saying so.
[[nodiscard]] AuditFinding find_tries(const AuditedTrace& audited);

}  // namespace stockout
