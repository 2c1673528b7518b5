#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "models/orchestrators/slurm/cluster.h"

namespace stockout::slurm {

/// When and where a job could start.
struct Start {
  SimTime at{};
  std::vector<NodeIndex> nodes;
};

/// The earliest start of a job if running jobs end with their time limits, as the selector of Slurm answers
/// backfill. Ends are looked at in groups, the first up to 30 s wide and each further one twice as wide as
/// the one before (bf_window_linear: wider by that much). A job starts with the last end of its group.
class FutureStart {
 public:
  explicit FutureStart(Cluster& cluster) : cluster_{cluster}, free_{cluster.nodes.free} {}

  /// On nodes of `among`; none if it cannot be. `now_only`: no answer later than now is wanted.
  [[nodiscard]] std::optional<Start> find(JobId id, PartitionIndex partition, const NodeSet& among,
                                          bool now_only);

 private:
  [[nodiscard]] std::optional<Start> find_later(const Shape& shape, const NodeSet& among);
  // A job that runs, and the nodes that it will leave.
  struct Ending {
    SimTime at{};
    JobId job = 0;
    NodeSet nodes;
  };

  // Those of now, by time.
  const std::vector<Ending>& endings();
  // The nodes are free of the job: counts those on which the shape now fits.
  void give(const Job& job, const NodeSet& nodes, const Shape& shape, const NodeSet& among);
  void put_nodes(const Job& job, NodeSet& nodes) const;
  [[nodiscard]] Start start_at(SimTime at, const Shape& shape, const FreeNodes& free);
  [[nodiscard]] SimTime end_of(const Job& job) const;
  // Its nodes have been given already.
  [[nodiscard]] bool is_victim(JobId id) const {
    return std::find(victims_.begin(), victims_.end(), id) != victims_.end();
  }

  Cluster& cluster_;
  FreeNodes free_;  // kept for its memory, as is what follows
  NodeSet fitting_;
  std::vector<JobId> victims_;  // whom the job may preempt
  NodeSet of_victim_;
  int count_ = 0;
  std::vector<Ending> endings_;
  std::optional<std::uint64_t> as_of_;  // changes of the cluster, when they were listed
};

}  // namespace stockout::slurm
