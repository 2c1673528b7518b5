#pragma once

#include <string>

#include "models/workload/audit/trace_audit.h"
#include "tools/table/relation.h"

namespace stockout {

/// Whether a trace can be used, in a sentence.
[[nodiscard]] std::string audit_verdict(const TraceAudit& audit);

/// Findings of each check.
[[nodiscard]] Relation audit_table(const TraceAudit& audit);

}  // namespace stockout
