#pragma once

#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/launcher.h"

namespace stockout::slurm {

/// Backfill as papers define it, at each event and without Slurm's intervals and limits: a yardstick.
class TextbookScheduler {
 public:
  TextbookScheduler(Cluster& cluster, Launcher& launcher) : cluster_{cluster}, launcher_{launcher} {}

  /// EASY: jobs start in the order of the queue until one has no room. It is promised its nodes for the
  /// earliest time at which running jobs let it have them. Later jobs start if they end by then, or on nodes
  /// that it does not need. Of jobs that could start, the one that was submitted first does.
  ///
  /// Nodes are interchangeable, as in the papers: the head is promised nodes that are busy before any that is
  /// free, and jobs that end in time take promised nodes before others. Of jobs that end at that time, those
  /// beyond its need count as running. `by_number`: nodes are not interchangeable. The head is promised those
  /// with the lowest numbers of all that are free then, and all others take those too. So does Batsim.
  void easy(bool by_number);

 private:
  struct Promise {
    SimTime at = kNever;
    NodeSet nodes;
  };

  // On nodes of `among_`, those of `first` before the others, and by their numbers.
  [[nodiscard]] bool start_if_room(const QueueRecord& record, const NodeSet& first);
  void start_in_order();
  [[nodiscard]] Promise promise_to(const QueueRecord& record, bool by_number) const;

  Cluster& cluster_;
  Launcher& launcher_;
  NodeSet among_;    // where the job that is looked at may go
  NodeSet fitting_;  // where there is room for it now
};

}  // namespace stockout::slurm
