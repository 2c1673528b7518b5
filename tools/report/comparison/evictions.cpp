#include "tools/report/comparison/evictions.h"

namespace stockout {

Relation evictions_table(const Report& report) {
  Relation table{.title = "Who gave way to whom under Kueue, mean of a replication",
                 .columns = {{.key = "strategy", .title = "strategy", .once = true},
                             {.key = "queue", .title = "jobs of queue"},
                             {.key = "by", .title = "for jobs of"},
                             {.key = "reason", .title = "why"},
                             {.key = "times", .title = "times", .style = kTenths}}};
  for (const StrategyResult& strategy : report.comparison.strategies) {
    for (const auto& [eviction, times] : strategy.kueue_evictions)
      table.add({strategy.name, eviction.queue, eviction.by, eviction.reason, times});
  }
  return table;
}

}  // namespace stockout
