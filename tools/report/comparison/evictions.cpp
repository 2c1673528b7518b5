#include "tools/report/comparison/evictions.h"

namespace stockout {

Relation evictions_table(const Report& report) {
  Relation table{.title = "Who gave way to whom under Kueue, mean of a replication",
                 .columns = {{.key = "strategy", .title = "strategy", .once = true},
                             name_column("jobs of queue"),
                             name_column("for jobs of"),
                             name_column("why"),
                             {.key = "times", .title = "times", .style = kTenths}}};
  for (const StrategyResult& strategy : report.comparison.strategies) {
    for (const auto& [eviction, times] : strategy.kueue_evictions)
      table.add({strategy.name, eviction.queue, eviction.by, eviction.reason, times});
  }
  return table;
}

Relation evictions_of(const StrategyResult& strategy) {
  Relation table{.columns = files_only({"queue", "by", "reason", "times"})};
  for (const auto& [eviction, times] : strategy.kueue_evictions)
    table.add({eviction.queue, eviction.by, eviction.reason, times});
  return table;
}

}  // namespace stockout
