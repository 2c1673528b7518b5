#include "models/workload/arrivals/trace_cursor.h"

#include <algorithm>

#include <boost/random/uniform_int_distribution.hpp>

namespace stockout {
namespace {

Job job_at(const JobColumns& jobs, std::size_t i, SourceId source) {
  Job job;
  job.submit = jobs.submit[i];
  job.work = jobs.work[i];
  if (!jobs.estimate.empty()) job.estimate = jobs.estimate[i];
  if (!jobs.max_wait.empty()) job.max_wait = jobs.max_wait[i];
  if (!jobs.deadline.empty()) job.deadline = jobs.deadline[i];
  if (!jobs.group.empty()) job.group = jobs.group[i];
  job.shape = jobs.shape[i];
  job.job_class = jobs.job_class[i];
  job.user = jobs.user[i];
  job.source = source;
  job.row = jobs.row.empty() ? i : jobs.row[i];
  return job;
}

}  // namespace

std::size_t TraceCursor::next(std::span<Job> batch) {
  const std::size_t count = std::min(batch.size(), jobs_.size() - at_);
  for (std::size_t i = 0; i < count; ++i) batch[i] = job_at(jobs_, at_ + i, source_);
  at_ += count;
  return count;
}

ResampleCursor::ResampleCursor(const TraceDemand& demand, SourceId source, RandomStreams random)
    : jobs_{*demand.jobs}, rule_{demand.resample}, source_{source}, random_{random} {
  if (jobs_.size() == 0) return;
  const SimDuration span = jobs_.submit.back() - kStart;
  steps_ = static_cast<std::uint64_t>(span / rule_.step) + 1;
  ring_ = rule_.step * static_cast<std::int64_t>(steps_);
  open_block();
}

void ResampleCursor::open_block() {
  Draw draw = random_.draw(Purpose::block, index(source_), block_);
  const auto step = boost::random::uniform_int_distribution<std::uint64_t>{0, steps_ - 1}(draw);
  block_from_ = rule_.step * static_cast<std::int64_t>(step);
  const auto first = std::ranges::lower_bound(jobs_.submit, kStart + block_from_);
  at_ = static_cast<std::size_t>(first - jobs_.submit.begin());
  turn_ = SimDuration::zero();
}

std::size_t ResampleCursor::next(std::span<Job> batch) {
  std::size_t count = 0;
  while (count < batch.size() && jobs_.size() > 0) {
    if (at_ == jobs_.size()) {
      at_ = 0;
      turn_ += ring_;
    }
    const SimDuration within = jobs_.submit[at_] - kStart + turn_ - block_from_;
    if (within >= rule_.block) {
      ++block_;
      if (rule_.block * static_cast<std::int64_t>(block_) >= rule_.length) break;
      open_block();
      continue;
    }
    const SimTime submit = kStart + rule_.block * static_cast<std::int64_t>(block_) + within;
    if (submit - kStart >= rule_.length) break;
    Job& job = batch[count] = job_at(jobs_, at_++, source_);
    job.submit = submit;
    job.row = row_++;
    ++count;
  }
  return count;
}

}  // namespace stockout
