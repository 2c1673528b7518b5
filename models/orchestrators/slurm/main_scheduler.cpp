#include "models/orchestrators/slurm/main_scheduler.h"

#include <algorithm>

namespace stockout::slurm {

void MainScheduler::cycle(bool all) {
  const auto& records = cluster_.queue.records();
  const auto depth = static_cast<std::size_t>(cluster_.settings().main.default_queue_depth);
  const std::size_t count = all ? records.size() : std::min(depth, records.size());
  queue_.assign(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(count));
  failed_.assign(cluster_.nodes.of_partition.size(), false);
  failures_ = 0;
  withheld_ = NodeSet{cluster_.configuration.nodes.size()};
  for (const QueueRecord& record : queue_) {
    if (failures_ == failed_.size()) return;
    try_record(record);
  }
}

void MainScheduler::try_record(const QueueRecord& record) {
  const Job& job = cluster_.jobs[record.job];
  if (failed_[record.partition] || job.state != JobState::pending) return;
  NodeSet among = cluster_.nodes.of_partition[record.partition];
  among &= cluster_.nodes.usable;
  among -= withheld_;
  if (launcher_.try_start(record.job, record.partition, among) || !may_hold_back(record)) return;
  failed_[record.partition] = true;
  ++failures_;
  withheld_ |= cluster_.nodes.of_partition[record.partition];
}

bool MainScheduler::may_hold_back(const QueueRecord& record) const {
  const BackfillParameters& parameters = cluster_.settings().backfill;
  return record.priority >= parameters.min_prio_reserve &&
         cluster_.age_of(cluster_.jobs[record.job]) >= parameters.min_age_reserve;
}

}  // namespace stockout::slurm
