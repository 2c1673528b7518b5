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

void JobQueue::insert(const QueueRecord& record, const JobKind& kind, SimDuration limit) {
  records_.insert(std::lower_bound(records_.begin(), records_.end(), record), record);
  kinds_[kind].emplace(limit, record.job);
}

void JobQueue::remove(const QueueRecord& record, const JobKind& kind, SimDuration limit) {
  const auto found = std::lower_bound(records_.begin(), records_.end(), record);
  STOCKOUT_CHECK(found != records_.end() && found->job == record.job && found->partition == record.partition);
  records_.erase(found);
  const auto alike = kinds_.find(kind);
  STOCKOUT_CHECK(alike != kinds_.end() && alike->second.erase({limit, record.job}) == 1);
  if (alike->second.empty()) kinds_.erase(alike);
}

std::size_t JobQueue::place_behind(const QueueRecord& record) const {
  const auto behind = std::upper_bound(records_.begin(), records_.end(), record);
  return static_cast<std::size_t>(behind - records_.begin());
}

void JobQueue::fill(std::deque<QueueRecord> records) {
  records_ = std::move(records);
  std::sort(records_.begin(), records_.end());
}

}  // namespace stockout::slurm
