#pragma once

#include "models/workload/audit/audit_rows.h"

namespace stockout {

// Checks of the times of a trace.

/// Stretches without a submission that are far longer than usual.
[[nodiscard]] AuditFinding find_holes(const AuditedTrace& audited);
/// Submissions that go back by whole hours: the clock was set back, or files of two zones were put together.
[[nodiscard]] AuditFinding find_clock_jumps(const AuditedTrace& audited);
/// Starts before submissions, ends before starts, and run times longer than from start to end, or more than a
/// year shorter.
[[nodiscard]] AuditFinding find_impossible_times(const AuditedTrace& audited);

}  // namespace stockout
