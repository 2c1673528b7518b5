#include "tools/report/comparison/evictions.h"

#include <algorithm>
#include <string>

namespace stockout {
namespace {

// A report may be of some of the strategies.
bool is_under_slurm(const World& world, const StrategyResult& result) {
  const auto strategy = std::ranges::find(world.strategies, result.name, &Strategy::name);
  return std::ranges::any_of(strategy->legs, [](const Leg& leg) { return !leg.partition.empty(); });
}

/// How a scheduler calls what its jobs belong to, and why they had to go.
struct Words {
  const char* title;
  const char* place;
  const char* reason;
  const char* why;
};

Relation evictions_of(const Report& report, bool by_slurm, const Words& words) {
  Relation table{.title = words.title,
                 .columns = {{.key = "strategy", .title = "strategy", .once = true},
                             {.key = words.place, .title = std::string{"jobs of "} + words.place},
                             {.key = "by", .title = "for jobs of"},
                             {.key = words.reason, .title = words.why},
                             {.key = "times", .title = "times", .style = kTenths}}};
  for (const StrategyResult& strategy : report.comparison.strategies) {
    if (is_under_slurm(report.scenario.world, strategy) != by_slurm) continue;
    for (const auto& [eviction, times] : strategy.evictions)
      table.add({strategy.name, eviction.queue, eviction.by, eviction.reason, times});
  }
  return table;
}

}  // namespace

Relation kueue_evictions_table(const Report& report) {
  return evictions_of(report, false,
                      {.title = "Who gave way to whom under Kueue, mean of a replication",
                       .place = "queue",
                       .reason = "reason",
                       .why = "why"});
}

Relation slurm_preemptions_table(const Report& report) {
  return evictions_of(report, true,
                      {.title = "Whom Slurm preempted for whom, mean of a replication",
                       .place = "partition",
                       .reason = "mode",
                       .why = "mode"});
}

}  // namespace stockout
