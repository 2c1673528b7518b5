#include "tools/report/other_costs.h"

#include "models/measures/number_text.h"
#include "tools/report/text_table.h"

namespace stockout {
namespace {

bool pays(const OtherCost& cost, const World& world, const std::string& strategy) {
  for (std::size_t i = 0; i < cost.strategies.size(); ++i) {
    if (world.strategies[i].name == strategy) return cost.strategies[i];
  }
  return true;
}

}  // namespace

std::optional<TextTable> other_costs_table(const Report& report, bool every_row_named) {
  const std::vector<OtherCost>& lines = report.scenario.terms.other;
  if (lines.empty()) return std::nullopt;
  TextTable table{"Other costs, in US dollars"};
  table.add_column("strategy", TextTable::Align::left);
  table.add_column("line", TextTable::Align::left);
  table.add_column("cost", TextTable::Align::right);
  for (const StrategyResult& strategy : report.comparison.strategies) {
    bool named = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!pays(lines[i], report.scenario.world, strategy.name)) continue;
      table.add_row(
          {named && !every_row_named ? "" : strategy.name, lines[i].name, number_text(strategy.other[i], 2)});
      named = true;
    }
  }
  return table;
}

std::string write_other_costs(const Report& report, const TextLayout& layout) {
  const std::optional<TextTable> table = other_costs_table(report, layout.markdown);
  return table ? table->to_section(layout) : std::string{};
}

}  // namespace stockout
