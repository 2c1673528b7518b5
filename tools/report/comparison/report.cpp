#include "tools/report/comparison/report.h"

#include "models/measures/goal_text.h"
#include "tools/report/comparison/comparison_csv.h"
#include "tools/report/comparison/comparison_json.h"
#include "tools/report/comparison/comparison_text.h"
#include "tools/report/comparison/short_text.h"

namespace stockout {

std::string write_report(const Report& report, ReportFormat format, const TextLayout& layout) {
  switch (format) {
    case ReportFormat::table:
      return report.full ? comparison_text(report, layout) : short_text(report, layout);
    case ReportFormat::markdown:
      return comparison_text(report, kMarkdown);
    case ReportFormat::csv:
      return comparison_csv(report);
    case ReportFormat::json:
      return comparison_json(report);
  }
  return {};
}

std::string goal_text(const Scenario& scenario) { return goal_text(scenario.goal, scenario.world.classes); }

}  // namespace stockout
