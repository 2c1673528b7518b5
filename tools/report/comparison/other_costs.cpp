#include "tools/report/comparison/other_costs.h"

#include "tools/table/text_table.h"

namespace stockout {
namespace {

bool pays(const OtherCost& cost, const World& world, const std::string& strategy) {
  for (std::size_t i = 0; i < cost.strategies.size(); ++i) {
    if (world.strategies[i].name == strategy) return cost.strategies[i];
  }
  return true;
}

}  // namespace

Relation other_costs_table(const Report& report) {
  const std::vector<OtherCost>& lines = report.scenario.terms.other;
  Relation table{.title = "Other costs, in US dollars",
                 .unit = "USD",
                 .columns = {{.key = "strategy", .title = "strategy", .once = true},
                             {.key = "name", .title = "line"},
                             {.key = "usd", .title = "cost", .unit = "USD", .style = kHundredths}}};
  for (const StrategyResult& strategy : report.comparison.strategies) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Cell usd{strategy.other[i]};
      table.add({strategy.name, lines[i].name,
                 pays(lines[i], report.scenario.world, strategy.name) ? usd : usd.as(std::string{kNone})});
    }
  }
  return table;
}

}  // namespace stockout
