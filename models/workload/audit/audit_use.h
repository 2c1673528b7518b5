#pragma once

#include "models/workload/audit/audit_rows.h"

namespace stockout {

// Checks of how many GPUs were in use.

/// More at once than there are.
[[nodiscard]] AuditFinding find_overuse(const AuditedTrace& audited);
/// Jobs that began before the file does, or had not ended when it was written, are missing or have no end.
[[nodiscard]] AuditFinding find_cut_ends(const AuditedTrace& audited);

}  // namespace stockout
