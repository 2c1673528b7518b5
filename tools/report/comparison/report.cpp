#include "tools/report/comparison/report.h"

#include <nlohmann/json.hpp>

#include "models/measures/goal_text.h"
#include "tools/report/comparison/comparison_csv.h"
#include "tools/report/comparison/comparison_json.h"
#include "tools/report/comparison/comparison_text.h"
#include "tools/report/comparison/short_text.h"

namespace stockout {

std::string write_report(const Report& report, ReportFormat format, const TextLayout& layout) {
  return write_in(format,
                  {.text =
                       [&](const TextLayout& of) {
                         return report.full || of.markdown ? comparison_text(report, of)
                                                           : short_text(report, of);
                       },
                   .csv = [&] { return every_row(report); },
                   .json = [&] { return comparison_json(report); },
                   .version = report.version},
                  layout);
}

std::string goal_text(const Scenario& scenario) { return goal_text(scenario.goal, scenario.world.classes); }

}  // namespace stockout
