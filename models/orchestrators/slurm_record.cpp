#include "models/orchestrators/slurm_record.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"

namespace stockout {
namespace {

// Of each partition the job that stands first in it, each once.
std::vector<slurm::JobId> first_in_line(const slurm::Slurm& slurm) {
  std::vector<bool> seen(slurm.configuration().partitions.size());
  std::size_t left = seen.size();
  std::vector<slurm::JobId> first;
  for (const slurm::QueueRecord& record : slurm.queue().records()) {
    if (seen[record.partition]) continue;
    seen[record.partition] = true;
    if (std::ranges::find(first, record.job) == first.end()) first.push_back(record.job);
    if (--left == 0) break;
  }
  return first;
}

}  // namespace

void SlurmRecord::pass(const slurm::Slurm& slurm, SimTime now) {
  const SimDuration length = now - std::exchange(now_, now);
  if (length == SimDuration::zero()) return;
  for (const slurm::JobId id : first_in_line(slurm)) {
    const auto found = waiters_.find(id);
    if (found != waiters_.end()) found->second.first += length;
  }
}

void SlurmRecord::begin(slurm::JobId id, const Arrival& arrival) {
  waiters_[id] = {.arrival = arrival, .since = now_};
}

void SlurmRecord::put_off(const slurm::Slurm& slurm, slurm::JobId id, SimTime put_off) {
  Arrival arrival = waiters_.at(id).arrival;
  arrival.put_off = put_off;
  arrival.is_queued = false;
  end(slurm, id);
  begin(id, arrival);
}

void SlurmRecord::end(const slurm::Slurm& slurm, slurm::JobId id) {
  const auto found = waiters_.find(id);
  if (found == waiters_.end()) return;
  const Waiter& waiter = found->second;
  waited_[waiter.arrival.job].of(waiter.arrival.again) += times_of(waiter, slurm.job(id));
  waiters_.erase(found);
}

// Until it is eligible it is put off, and until it enters the queue other jobs hold it back. It may have been
// in the queue before it came back.
WaitTimes SlurmRecord::times_of(const Waiter& waiter, const slurm::Job& job) const {
  const SimTime put_off = std::clamp(waiter.arrival.put_off, waiter.since, now_);
  const SimTime entered = job.queued == kNever ? kNever : begin_ + (job.queued - kStart);
  const bool was_queued = waiter.arrival.is_queued || entered >= put_off;
  const SimTime queued = was_queued ? std::clamp(entered, put_off, now_) : now_;
  WaitTimes times;
  times[WaitCause::back_off] = put_off - waiter.since;
  times[WaitCause::held_back] = queued - put_off;
  times[WaitCause::capacity] = waiter.arrival.is_hopeless ? now_ - queued : waiter.first;
  times[WaitCause::priority] = now_ - queued - times[WaitCause::capacity];
  STOCKOUT_CHECK(times[WaitCause::priority] >= SimDuration::zero());
  return times;
}

// Who waits still does so until the run's end.
void SlurmRecord::write(const slurm::Slurm& slurm, RunRecord& record) const {
  SlurmRecord until_end = *this;
  until_end.pass(slurm, record.end);
  while (!until_end.waiters_.empty()) until_end.end(slurm, until_end.waiters_.begin()->first);
  for (const auto& [job, times] : until_end.waited_) record.jobs.set_pending(job, times);
  for (const auto& [job, end] : ends_) record.jobs.set_slurm_end(job, end);
  record.gave_way = gave_way_;
  record.evictions = evictions_;
}

}  // namespace stockout
