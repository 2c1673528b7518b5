#include "tools/report/comparison/comparison_text.h"

#include "tools/report/comparison/assumption_tables.h"
#include "tools/report/comparison/bound_tables.h"
#include "tools/report/comparison/comparison_tables.h"
#include "tools/report/comparison/heading.h"
#include "tools/report/comparison/notes.h"
#include "tools/report/comparison/overview.h"
#include "tools/report/comparison/world_tables.h"
#include "tools/table/write_text.h"

namespace stockout {

std::string comparison_text(const Report& report, const TextLayout& layout) {
  std::string tables;
  for (const auto& [key, table] : comparison_tables(report)) tables += write_section(table, layout);
  return heading(report, layout) + write_overview(report, layout) + tables + write_bounds(report, layout) +
         write_worlds(report, layout) + write_band(report, layout) + '\n' + write_notes(report, layout);
}

}  // namespace stockout
