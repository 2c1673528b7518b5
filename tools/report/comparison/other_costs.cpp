#include "tools/report/comparison/other_costs.h"

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
                             name_column("line"),
                             {.key = "usd", .title = "cost", .unit = "USD", .style = kHundredths}}};
  for (const StrategyResult& strategy : report.comparison.strategies) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (pays(lines[i], report.scenario.world, strategy.name))
        table.add({strategy.name, lines[i].name, strategy.other[i]});
    }
  }
  return table;
}

}  // namespace stockout
