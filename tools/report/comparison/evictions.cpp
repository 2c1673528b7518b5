#include "tools/report/comparison/evictions.h"

#include <algorithm>
#include <utility>

namespace stockout {
namespace {

bool is_under_slurm(const Strategy& strategy) {
  return std::ranges::any_of(strategy.legs, [](const Leg& leg) { return !leg.partition.empty(); });
}

Relation with_evictions(Relation table, const Report& report, bool by_slurm) {
  const std::vector<Strategy>& strategies = report.scenario.world.strategies;
  for (std::size_t i = 0; i < report.comparison.strategies.size(); ++i) {
    if (is_under_slurm(strategies[i]) != by_slurm) continue;
    const StrategyResult& strategy = report.comparison.strategies[i];
    for (const auto& [eviction, times] : strategy.evictions)
      table.add({strategy.name, eviction.queue, eviction.by, eviction.reason, times});
  }
  return table;
}

}  // namespace

Relation kueue_evictions_table(const Report& report) {
  return with_evictions({.title = "Who gave way to whom under Kueue, mean of a replication",
                         .columns = {{.key = "strategy", .title = "strategy", .once = true},
                                     {.key = "queue", .title = "jobs of queue"},
                                     {.key = "by", .title = "for jobs of"},
                                     {.key = "reason", .title = "why"},
                                     {.key = "times", .title = "times", .style = kTenths}}},
                        report, false);
}

Relation slurm_preemptions_table(const Report& report) {
  return with_evictions({.title = "Whom Slurm preempted for whom, mean of a replication",
                         .columns = {{.key = "strategy", .title = "strategy", .once = true},
                                     {.key = "partition", .title = "jobs of partition"},
                                     {.key = "by", .title = "for jobs of"},
                                     {.key = "mode", .title = "mode"},
                                     {.key = "times", .title = "times", .style = kTenths}}},
                        report, true);
}

}  // namespace stockout
