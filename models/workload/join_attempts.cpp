#include "models/workload/join_attempts.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include <boost/container_hash/hash.hpp>

namespace stockout {
namespace {

// What two attempts of one job have in common.
struct Ask {
  std::uint32_t user = 0;
  std::uint32_t job_class = 0;
  std::uint32_t gpu = 0;
  std::uint32_t machine = 0;
  std::uint32_t speed = 0;
  std::uint32_t gpu_memory = 0;
  std::uint32_t group = 0;
  std::int32_t gpus = 0;
  std::int32_t nodes = 0;

  friend bool operator==(const Ask&, const Ask&) = default;
};

struct AskHash {
  std::size_t operator()(const Ask& ask) const {
    std::size_t seed = 0;
    for (const std::uint32_t part :
         {ask.user, ask.job_class, ask.gpu, ask.machine, ask.speed, ask.gpu_memory, ask.group}) {
      boost::hash_combine(seed, part);
    }
    boost::hash_combine(seed, ask.gpus);
    boost::hash_combine(seed, ask.nodes);
    return seed;
  }
};

template <typename T>
T at_or_zero(const std::vector<T>& column, std::size_t row) {
  return column.empty() ? T{} : column[row];
}

Ask ask_of(const Trace& trace, std::size_t row) {
  return {.user = at_or_zero(trace.user.codes, row),
          .job_class = at_or_zero(trace.job_class.codes, row),
          .gpu = at_or_zero(trace.gpu.codes, row),
          .machine = at_or_zero(trace.machine.codes, row),
          .speed = at_or_zero(trace.speed.codes, row),
          .gpu_memory = at_or_zero(trace.gpu_memory.codes, row),
          .group = at_or_zero(trace.group, row),
          .gpus = trace.gpus[row],
          .nodes = at_or_zero(trace.nodes, row)};
}

std::int64_t end_of(const Trace& trace, std::size_t row) {
  const SimDuration waited = std::max(at_or_zero(trace.recorded_wait, row), SimDuration::zero());
  return trace.submit_ms[row] + (waited + trace.work[row]).count();
}

// The row of each job that names itself, and of each that may go on, that came last.
class OpenJobs {
 public:
  OpenJobs(const Trace& trace, SimDuration within) : trace_{trace}, within_{within} {}

  // The row that this one follows, or JobRows::kNone.
  std::uint32_t follow_named(std::uint32_t row, std::uint32_t job) {
    const auto [latest, is_first] = latest_.try_emplace(job, row);
    return is_first ? JobRows::kNone : std::exchange(latest->second, row);
  }

  std::uint32_t follow_unfinished(std::uint32_t row, bool is_unfinished) {
    auto& open = unfinished_[ask_of(trace_, row)];
    while (!open.empty() && trace_.submit_ms[row] - end_of(trace_, open.front()) > within_.count()) {
      open.pop_front();
    }
    std::uint32_t before = JobRows::kNone;
    if (!open.empty()) {
      before = open.front();
      open.pop_front();
    }
    if (is_unfinished) open.push_back(row);
    return before;
  }

 private:
  const Trace& trace_;
  SimDuration within_;
  std::unordered_map<std::uint32_t, std::uint32_t> latest_;  // by job
  std::unordered_map<Ask, std::deque<std::uint32_t>, AskHash> unfinished_;
};

}  // namespace

std::vector<JobRows> jobs_of_attempts(const Trace& trace, const std::vector<AttemptMark>& marks,
                                      SimDuration within) {
  const bool any_unfinished = std::ranges::any_of(marks, &AttemptMark::is_unfinished);
  OpenJobs open{trace, within};
  std::vector<JobRows> jobs;
  std::vector<std::uint32_t> job_of(trace.size());
  for (std::uint32_t row = 0; row < job_of.size(); ++row) {
    const AttemptMark& mark = marks[row];
    std::uint32_t before = JobRows::kNone;
    if (mark.job != AttemptMark::kNoJob) {
      before = open.follow_named(row, mark.job);
    } else if (any_unfinished) {
      before = open.follow_unfinished(row, mark.is_unfinished);
    }
    if (before == JobRows::kNone) {
      job_of[row] = static_cast<std::uint32_t>(jobs.size());
      jobs.push_back({.first = row, .last = row, .count = 0});
    } else {
      job_of[row] = job_of[before];
    }
    JobRows& job = jobs[job_of[row]];
    job.last = row;
    ++job.count;
    if (job.started == JobRows::kNone && trace.work[row] > SimDuration::zero()) job.started = row;
  }
  return jobs;
}

}  // namespace stockout
