#include <algorithm>
#include <tuple>

#include "tests/support/reference/run.h"

// Section 14: so many jobs of a group may be open at a time, and so many requests of a row.
namespace stockout::reference {
namespace {

auto group_of(const JobState& job) { return std::tuple{job.job.source, job.job.job_class, job.job.group}; }

}  // namespace

/// R14.1.
std::int64_t Run::open_in_group(const JobState& of) const {
  return std::ranges::count_if(
      jobs_, [&](const JobState& job) { return group_of(job) == group_of(of) && job.stage == Stage::open; });
}

/// R14.2: A job is final: others of its group are released, in the order in which they came to it.
void Run::let_go_in_group(const JobState& of) {
  if (of.job.group == 0) return;
  while (open_in_group(of) < of.job_class->parallel) {
    JobState* first = nullptr;
    for (JobState& job : jobs_) {
      if (group_of(job) != group_of(of) || job.stage != Stage::held_by_group) continue;
      if (first == nullptr || job.came_to_group < first->came_to_group) first = &job;
    }
    if (first == nullptr) return;
    first->stage = Stage::open;
    first->step = {at_soonest(), [this, first] { release(*first); }};
  }
}

/// R14.6: Of the row's legs, in the strategy under test; none: nobody waits.
JobState* Run::first_in_line(const std::string& row) {
  JobState* first = nullptr;
  for (JobState& job : jobs_) {
    if (!job.turn_in_line || job.strategy->legs[job.leg].policy.name != row) continue;
    if (first == nullptr || job.turn_in_line < first->turn_in_line) first = &job;
  }
  return first;
}

/// R14.4, R14.5: Whether requests for all of the leg's places may be open beside those of all legs of
/// its row.
bool Run::is_within_limit(const JobState& job) const {
  const Policy& row = job.strategy->legs[job.leg].policy;
  const auto open = std::ranges::count_if(requests_, [&](const Request& one) {
    return one.open() && one.job != nullptr && one.job->recorded && leg_of(one).policy.name == row.name;
  });
  return open + std::ssize(possible(job, job.leg)) <= row.open_max;
}

/// R14.3, R14.5, R14.6: The job makes its requests in the queueing leg that it enters, or waits in
/// line.
void Run::come_to_limit(JobState& job, const std::vector<Candidate>& candidates) {
  const Policy& row = job.strategy->legs[job.leg].policy;
  const bool is_limited = job.recorded && row.open_max > 0 && !row.held;
  if (is_limited && (first_in_line(row.name) != nullptr || !is_within_limit(job))) {
    note("limit: waits in line");
    job.turn_in_line = orders_++;
    return;
  }
  if (is_limited) note("limit: went through at once");
  make_requests(job, candidates);
}

/// R14.7.
void Run::leave_line(JobState& job) {
  if (job.turn_in_line) note("limit: left the line without a request");
  job.turn_in_line.reset();
  job.stands_for_set = false;
  leave_quota_line(job);
}

/// R14.8, R14.9: The first in line, if it may make its requests now.
JobState* Run::next_to_let_in(const Leg& leg) {
  JobState* first = first_in_line(leg.policy.name);
  return first != nullptr && is_within_limit(*first) ? first : nullptr;
}

/// R14.8: Phase 3, after the steps.
void Run::look_at_limits() {
  for (const Leg& leg : strategy_.legs) {
    while (JobState* job = next_to_let_in(leg)) {
      const std::vector<Candidate> candidates = possible(*job, job->leg);
      note("limit: let in later");
      if (candidates.size() > 1) note("limit: let in with several requests");
      job->turn_in_line.reset();
      make_requests(*job, candidates);
    }
  }
}

}  // namespace stockout::reference
