#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/slurm/cluster.h"

namespace stockout::slurm {

/// When and where a job could start.
struct Start {
  SimTime at{};
  NodeSet nodes;
};

/// The earliest start of a job if running jobs end with their time limits, as the selector of Slurm answers
/// backfill. Ends are looked at in groups, the first up to 30 s wide and each further one twice as wide as
/// the one before (bf_window_linear: wider by that much). A job starts with the last end of its group.
/// Jobs that preempt nobody often ask what one before them has asked: answers are kept until something
/// changes.
class FutureStart {
 public:
  explicit FutureStart(Cluster& cluster) : cluster_{cluster}, free_{cluster.nodes.free} {}

  /// On nodes of `among`; null if it cannot be. `now_only`: no answer later than now is wanted. Valid until
  /// the next call.
  [[nodiscard]] const Start* find(JobId id, PartitionIndex partition, const NodeSet& among, bool now_only);

 private:
  // Of a job that may preempt nobody.
  struct Question {
    Shape shape;
    NodeSet among;
    friend bool operator==(const Question&, const Question&) = default;
  };
  struct Hash {
    std::size_t operator()(const Question& question) const;
  };

  [[nodiscard]] const Start* without_victims(const Shape& shape, const NodeSet& among);
  [[nodiscard]] std::optional<Start> find_later(const Shape& shape, const NodeSet& among);
  // A job that runs, and the nodes that it will leave.
  struct Ending {
    SimTime at{};
    JobId job = 0;
    NodeSet nodes;
  };

  // Endings, by time, and answers are those of now.
  void look_anew();
  // Counts those on which the shape fits now.
  void look_at_free_nodes(const Shape& shape, const NodeSet& among);
  // The nodes are free of the job: counts those on which the shape now fits.
  void give(const Job& job, const NodeSet& nodes, const Shape& shape, const NodeSet& among);
  void put_nodes(const Job& job, NodeSet& nodes) const;
  [[nodiscard]] Start start_at(SimTime at, const Shape& shape);
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
  std::vector<NodeIndex> chosen_;
  int count_ = 0;
  std::optional<Start> with_victims_;  // the last answer to a job that has some
  Question question_;
  std::unordered_map<Question, std::optional<Start>, Hash> answers_;
  std::vector<Ending> endings_;
  std::optional<std::pair<SimTime, std::uint64_t>> as_of_;  // time, and changes of the cluster until then
};

}  // namespace stockout::slurm
