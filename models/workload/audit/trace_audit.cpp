#include "models/workload/audit/trace_audit.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/workload/audit/audit_clock.h"
#include "models/workload/audit/audit_rows.h"
#include "models/workload/audit/audit_use.h"

namespace stockout {
namespace {

// The checks, in the order of the table.
constexpr std::array<AuditFinding (*)(const AuditedTrace&), 12> kAuditChecks{
    find_lack_of_jobs, find_broken_rows,      find_missing_submits, find_holes,
    find_clock_jumps,  find_impossible_times, find_odd_run_times,   find_assumed_gpus,
    find_overuse,      find_cut_ends,         find_repeated_ids,    find_tries};

}  // namespace

TraceAudit audit_trace(const Trace& trace, std::optional<std::int64_t> capacity) {
  const AuditedTrace audited = prepare_audit(trace, capacity);
  TraceAudit audit;
  for (const auto check : kAuditChecks) {
    audit.findings.push_back(check(audited));
    audit.verdict = std::max(audit.verdict, audit.findings.back().grade);
  }
  return audit;
}

}  // namespace stockout
