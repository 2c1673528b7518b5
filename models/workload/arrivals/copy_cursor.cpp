#include "models/workload/arrivals/copy_cursor.h"

#include "models/workload/arrivals/synthesis.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr std::size_t kCopyBatch = 256;

}  // namespace

// The next original; false at the end.
bool CopyCursor::take() {
  if (++at_ >= jobs_.size()) {
    jobs_.resize(kCopyBatch);
    jobs_.resize(inner_->next(jobs_));
    at_ = 0;
    if (jobs_.empty()) return false;
  }
  copy_ = 0;
  times_ = factor_.at(jobs_[at_].submit);
  STOCKOUT_CHECK(times_ <= kMostCopies && jobs_[at_].row < kFirstAddedRow);
  return true;
}

bool CopyCursor::is_kept(double share) const {
  if (share >= 1) return true;
  Draw draw = random_.draw(Purpose::copy, entity_of(jobs_[at_].source, jobs_[at_].row), copy_);
  return uniform01(draw) < share;
}

Job CopyCursor::copy() const {
  Job job = jobs_[at_];
  if (copy_ == 0) return job;
  const std::uint64_t row = copy_row(job.row, copy_);
  if (synthetic_ == nullptr) {
    job.row = row;
    return job;
  }
  Job made = make_job(*synthetic_, job.source, random_, row, job.submit);
  made.group = job.group;
  return made;
}

std::size_t CopyCursor::next(std::span<Job> batch) {
  std::size_t count = 0;
  while (count < batch.size()) {
    const double share = times_ - static_cast<double>(copy_);
    if (share <= 0) {
      if (!take()) break;
      continue;
    }
    if (is_kept(share)) batch[count++] = copy();
    ++copy_;
  }
  return count;
}

}  // namespace stockout
