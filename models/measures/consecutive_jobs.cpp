#include "models/measures/consecutive_jobs.h"

namespace stockout {

bool ConsecutiveJobs::add(const Job& job, const JobOutcome& outcome) {
  Stream& stream = streams_[std::uint64_t{index(job.user)} << 16 | index(job.job_class)];
  for (; !stream.ends.empty() && stream.ends.top() <= job.submit; stream.ends.pop())
    stream.last_end = stream.ends.top();
  if (outcome.first_grant != kNever) stream.ends.push(outcome.finished);
  // A job that its pipeline or group held back was released by the end of another of these, unless it was
  // skipped or the run ended first.
  if (outcome.released > job.submit)
    return outcome.first_grant != kNever || outcome.finished > outcome.released;
  return stream.last_end && job.submit - *stream.last_end <= between_;
}

}  // namespace stockout
