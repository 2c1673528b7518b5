#pragma once

#include <optional>
#include <vector>

#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/launcher.h"
#include "models/orchestrators/slurm/plan.h"

namespace stockout::slurm {

/// Backfill as papers define it, at each event and without Slurm's intervals and limits: a yardstick.
class TextbookScheduler {
 public:
  TextbookScheduler(Cluster& cluster, Launcher& launcher) : cluster_{cluster}, launcher_{launcher} {}

  /// EASY: jobs start in the order of the queue until one has no room. It is promised its nodes for the
  /// earliest time at which running jobs let it have them. Later jobs start if they end by then, or on nodes
  /// that it does not need. Ties: the job that was submitted first goes first.
  void easy();
  /// Conservative: in the order of the queue every job is promised whole nodes for the earliest time at which
  /// they are promised to nobody for as long as it may run. All promises are made anew at each event.
  void conservative();

 private:
  struct Promise {
    SimTime at = kNever;
    NodeSet nodes;
  };

  [[nodiscard]] bool start_if_room(const QueueRecord& record);
  [[nodiscard]] std::size_t start_in_order();
  [[nodiscard]] Promise promise_to(const QueueRecord& record) const;
  [[nodiscard]] Plan plan_of_running() const;
  [[nodiscard]] std::optional<SimTime> earliest(const Plan& plan, const QueueRecord& record);

  Cluster& cluster_;
  Launcher& launcher_;
  NodeSet among_;  // where the job that is looked at may go
};

}  // namespace stockout::slurm
