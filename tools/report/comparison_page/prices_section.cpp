#include "tools/report/comparison_page/prices_section.h"

#include <algorithm>

#include "tools/page/chart_spec.h"
#include "tools/report/comparison/assumption_tables.h"
#include "tools/report/comparison/bound_tables.h"
#include "tools/report/comparison/world_tables.h"
#include "tools/report/prices/break_even_chart.h"
#include "tools/report/prices/break_even_table.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

void add_break_evens(const PageStory& story, std::vector<PageBlock>& blocks) {
  if (!story.break_evens.models.empty())
    blocks.push_back(break_even_chart(story.break_evens, story.report.comparison,
                                      names_of(story.report, strategies_drawn(story.report))));
  for (const std::string& line : break_even_remarks(story.break_evens, story.report.comparison))
    blocks.push_back(Paragraph{line});
}

nlohmann::json band_spec(const Report& report, Relation band) {
  const std::vector<std::string> drawn = names_of(report, strategies_drawn(report));
  std::erase_if(band.rows, [&](const Row& row) {
    const bool is_drawn =
        std::ranges::find(drawn, std::get<std::string>(row.cells.front().value)) != drawn.end();
    return !is_drawn || row.cells[1].is_nothing();
  });
  return ChartSpec{"assumption-band"}.rows(write_chart_rows(band)).strategies(drawn).take();
}

void add_band(const Report& report, std::vector<PageBlock>& blocks) {
  if (report.band == nullptr) return;
  const std::vector<Relation> tables = band_tables(report);
  blocks.push_back(Paragraph{report.band->sentence});
  blocks.push_back(Chart{.id = "assumption-band",
                         .title = "Cost under the scenario's alternatives to what it assumes",
                         .description =
                             "A line a strategy, from the lowest to the highest cost under any alternative, "
                             "one at a time, in US dollars. The dot is the scenario as written.",
                         .spec = band_spec(report, tables.front()),
                         .table = tables.front()});
  for (std::size_t i = 1; i < tables.size(); ++i) blocks.push_back(tables[i]);
  blocks.push_back(band_verdicts(report));
}

}  // namespace

PageSection prices_section(const PageStory& story) {
  PageSection section{
      .id = "prices", .title = "Other prices, other assumptions", .blocks = {}, .menu = "Other prices"};
  add_break_evens(story, section.blocks);
  if (story.report.worlds != nullptr) {
    section.blocks.push_back(Paragraph{story.report.worlds->sentence});
    section.blocks.push_back(worlds_table(story.report));
  }
  add_band(story.report, section.blocks);
  if (story.report.bounds != nullptr) {
    section.blocks.push_back(bound_table(story.report));
    for (const std::string& line : bound_remarks(story.report)) section.blocks.push_back(Paragraph{line});
  }
  return section;
}

}  // namespace stockout
