#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/workload/trace.h"

namespace stockout {

/// How good a trace is in one respect, and in all: the worst counts.
enum class AuditGrade : std::uint8_t {
  fine,
  unknown,  // the file does not have what the check goes by
  look,     // can be used by someone who knows of it
  unfit,    // must not be used as it is
};
inline constexpr std::array<std::string_view, 4> kAuditGradeNames{"fine", "unknown", "look", "unfit"};

/// Finding of one check.
struct AuditFinding {
  std::string check = {};  // what was looked for
  AuditGrade grade = AuditGrade::fine;
  std::uint64_t count = 0;       // of what was found; 0: nothing
  std::uint64_t first_line = 0;  // of the file where it was found first; 0: at no line
  std::string text = {};         // what it means, and what to do
};

struct TraceAudit {
  AuditGrade verdict = AuditGrade::fine;
  std::vector<AuditFinding> findings;
};

/// Faults of a trace that was read with TraceOptions::keep_rows, before anyone simulates it. `capacity`: the
/// GPUs that there were, if known. models/workload/README.md has the checks and their limits.
[[nodiscard]] TraceAudit audit_trace(const Trace& trace, std::optional<std::int64_t> capacity = {});

}  // namespace stockout
