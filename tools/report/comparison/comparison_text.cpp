#include "tools/report/comparison/comparison_text.h"

#include <fmt/format.h>

#include "tools/report/comparison/assumption_tables.h"
#include "tools/report/comparison/bound_tables.h"
#include "tools/report/comparison/comparison_tables.h"
#include "tools/report/comparison/notes.h"
#include "tools/report/comparison/other_costs.h"
#include "tools/report/comparison/overview.h"
#include "tools/report/comparison/rules_text.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

std::string heading(const Report& report, const TextLayout& layout) {
  const Scenario& scenario = report.scenario;
  const std::string title =
      scenario.question.empty() ? scenario.name : scenario.name + ": " + scenario.question;
  const std::string unnamed = unnamed_text(report);
  if (layout.markdown) {
    return fmt::format("## {}\n\n**{}**\n{}", title, report.headline,
                       unnamed.empty() ? "" : fmt::format("\n{}\n", unnamed));
  }
  return wrap_text(title, layout.width, "") + '\n' + wrap_text(report.headline, layout.width, "") +
         (unnamed.empty() ? "" : wrap_text(unnamed, layout.width, ""));
}

}  // namespace

std::string comparison_text(const Report& report, const TextLayout& layout) {
  std::string tables;
  for (const Relation& table : comparison_tables(report)) tables += write_section(table, layout);
  return heading(report, layout) + write_overview(report, layout) + tables +
         write_section(other_costs_table(report), layout) + write_bounds(report, layout) +
         write_band(report, layout) + '\n' + write_notes(report, layout);
}

}  // namespace stockout
