#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "models/orchestrators/slurm/free_nodes.h"
#include "models/orchestrators/slurm/job.h"
#include "sim/core/time.h"

namespace stockout::slurm {

/// A job that waits in a partition: who wants to run in several has several.
struct QueueRecord {
  int preempts = 0;  // who may preempt others stands before them
  int tier = 0;      // PriorityTier of the partition
  std::uint32_t priority = 0;
  std::int64_t submitted_s = 0;  // Slurm knows whole seconds
  JobId array = 0;
  JobId job = 0;
  PartitionIndex partition = 0;

  /// Who comes first in the queue.
  friend bool operator<(const QueueRecord& a, const QueueRecord& b);
};

/// Kind of jobs that differ in nothing but their time limits.
struct JobKind {
  PartitionIndex partition = 0;
  Shape shape = {};
  std::optional<QosIndex> qos = std::nullopt;
  friend auto operator<=>(const JobKind&, const JobKind&) = default;
};

/// All that could run if there was room, in the order in which the schedulers try them.
class JobQueue {
 public:
  /// Who waits, by kind: the shortest limit first.
  using Kinds = std::map<JobKind, std::set<std::pair<SimDuration, JobId>>>;

  /// `limit`: of the job in the partition.
  void insert(const QueueRecord& record, const JobKind& kind, SimDuration limit);
  /// The record, which is there, goes.
  void remove(const QueueRecord& record, const JobKind& kind, SimDuration limit);
  /// All records go, in this order, to come back with other priorities.
  [[nodiscard]] std::deque<QueueRecord> take() { return std::exchange(records_, {}); }
  /// These, in any order, are those that were taken.
  void fill(std::deque<QueueRecord> records);

  [[nodiscard]] const std::deque<QueueRecord>& records() const { return records_; }
  /// Place of the first record behind this one, which may have gone.
  [[nodiscard]] std::size_t place_behind(const QueueRecord& record) const;
  [[nodiscard]] const Kinds& kinds() const { return kinds_; }

 private:
  std::deque<QueueRecord> records_;  // most go at its front
  Kinds kinds_;                      // none without jobs
};

}  // namespace stockout::slurm
