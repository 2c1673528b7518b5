#include "models/orchestrators/slurm/job_queue.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout::slurm {

bool operator<(const QueueRecord& a, const QueueRecord& b) {
  if (a.preempts != b.preempts) return a.preempts > b.preempts;
  if (a.tier != b.tier) return a.tier > b.tier;
  if (a.priority != b.priority) return a.priority > b.priority;
  if (a.submitted_s != b.submitted_s) return a.submitted_s < b.submitted_s;
  if (a.array != b.array) return a.array < b.array;
  if (a.job != b.job) return a.job < b.job;
  return a.partition < b.partition;
}

void JobQueue::insert(const QueueRecord& record) {
  records_.insert(std::lower_bound(records_.begin(), records_.end(), record), record);
}

void JobQueue::remove(const QueueRecord& record) {
  const auto found = std::lower_bound(records_.begin(), records_.end(), record);
  STOCKOUT_CHECK(found != records_.end() && found->job == record.job && found->partition == record.partition);
  records_.erase(found);
}

void JobQueue::fill(std::vector<QueueRecord> records) {
  records_ = std::move(records);
  std::sort(records_.begin(), records_.end());
}

}  // namespace stockout::slurm
