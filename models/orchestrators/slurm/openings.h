#pragma once

#include <cstdint>

#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/plan.h"

namespace stockout::slurm {

/// Whether anybody could start now beside what a cycle of backfill has promised. Plans get fuller and free
/// nodes fewer while a cycle lasts, so that nobody who could not start before could later in it.
class Openings {
 public:
  explicit Openings(const Cluster& cluster) : cluster_{cluster} {}

  /// A cycle begins.
  void begin();
  /// Whether somebody in the queue might start, or preempt others, if it was tried now.
  [[nodiscard]] bool any(const Plan& plan);

 private:
  using Place = JobQueue::Kinds::const_iterator;

  // Sets `nodes_` to those on which jobs of the kind at `kind_` fit, and `preempts_`.
  void look();
  // Whether the shortest job of the kind could have enough of the nodes to its end.
  [[nodiscard]] bool is_open(const Plan& plan) const;

  const Cluster& cluster_;
  std::uint64_t as_of_ = 0;  // changes of the cluster until then
  Place kind_;               // jobs of those before it cannot start
  NodeSet nodes_;
  bool preempts_ = false;
};

}  // namespace stockout::slurm
