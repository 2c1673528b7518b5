#include "tools/stockout/traces/audit_table.h"

#include <fmt/format.h>

namespace stockout {

std::string audit_verdict(const TraceAudit& audit) {
  std::size_t unfit = 0;
  std::size_t look = 0;
  std::size_t unknown = 0;
  for (const AuditFinding& finding : audit.findings) {
    unfit += finding.grade == AuditGrade::unfit ? 1U : 0U;
    look += finding.grade == AuditGrade::look ? 1U : 0U;
    unknown += finding.grade == AuditGrade::unknown ? 1U : 0U;
  }
  if (unfit > 0)
    return fmt::format("must not be used as it is: {} of {} checks say unfit", unfit, audit.findings.size());
  if (look > 0)
    return fmt::format("can be used with care: {} of {} checks say look", look, audit.findings.size());
  return fmt::format("can be used: {} checks found nothing{}", audit.findings.size() - unknown,
                     unknown == 0 ? "" : fmt::format(", {} could not be made", unknown));
}

Relation audit_table(const TraceAudit& audit) {
  Relation table{.columns = {name_column("check"),
                             name_column("grade"),
                             {.key = "found", .title = "found", .style = kWhole},
                             {.key = "first_line", .title = "first\nline", .style = kWhole},
                             name_column("meaning")}};
  for (const AuditFinding& finding : audit.findings) {
    table.add({finding.check, kAuditGradeNames[static_cast<std::size_t>(finding.grade)], finding.count,
               finding.first_line == 0 ? Cell{} : Cell{finding.first_line}, finding.text});
  }
  return table;
}

}  // namespace stockout
