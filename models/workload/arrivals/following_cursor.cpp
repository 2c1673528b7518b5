#include "models/workload/arrivals/following_cursor.h"

#include <utility>

#include "models/workload/arrivals/synthesis.h"

namespace stockout {
namespace {

constexpr std::size_t kFollowedBatch = 256;

}  // namespace

// The next that is followed; false at the end.
bool FollowingCursor::take() {
  if (++at_ < firsts_.size()) return true;
  firsts_.resize(kFollowedBatch);
  firsts_.resize(first_->next(firsts_));
  at_ = 0;
  return !firsts_.empty();
}

Job FollowingCursor::follow(const Job& first) const {
  Job job = make_job(demand_, source_, random_, pipeline_of(first, by_group_), first.submit);
  job.user = first.user;
  if (std::get<FollowingArrivals>(demand_.arrivals).as_long) {
    job.work = first.work;
    job.estimate = first.estimate;
    job.deadline = first.deadline;
  }
  return job;
}

std::size_t FollowingCursor::next(std::span<Job> batch) {
  std::size_t count = 0;
  while (count < batch.size() && take()) {
    const Job& first = firsts_[at_];
    if (by_group_ && std::exchange(last_group_, first.group) == first.group) continue;
    batch[count++] = follow(first);
  }
  return count;
}

}  // namespace stockout
