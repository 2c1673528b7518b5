#pragma once

#include <cstdint>
#include <utility>
#include <vector>

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

/// All that could run if there was room, in the order in which the schedulers try them.
class JobQueue {
 public:
  void insert(const QueueRecord& record);
  /// The record, which is there, goes.
  void remove(const QueueRecord& record);
  /// All records go, in this order.
  [[nodiscard]] std::vector<QueueRecord> take() { return std::exchange(records_, {}); }
  /// These, in any order, are all that there are.
  void fill(std::vector<QueueRecord> records);

  [[nodiscard]] const std::vector<QueueRecord>& records() const { return records_; }

 private:
  std::vector<QueueRecord> records_;
};

}  // namespace stockout::slurm
