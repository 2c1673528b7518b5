#include <algorithm>

#include "tests/support/reference/run.h"

// Rows of which only so many requests may be open at a time: jobs stand in line before the row's gate.
namespace stockout::reference {

/// kNone: nobody stands there.
std::size_t Run::first_in_line(const std::string& row) const {
  std::size_t first = kNone;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const JobState& job = jobs_[j];
    if (!job.recorded || job.turn_at_gate == kNone || leg_of(job, job.leg).policy.name != row) continue;
    if (first == kNone || job.turn_at_gate < jobs_[first].turn_at_gate) first = j;
  }
  return first;
}

/// Open requests of all legs of the row, in the strategy under test.
std::int64_t Run::open_in_row(const std::string& row) const {
  return std::count_if(requests_.begin(), requests_.end(), [&](const Request& request) {
    return request.open && request.job != kNone && jobs_[request.job].recorded &&
           leg_of(jobs_[request.job], request.leg).policy.name == row;
  });
}

bool Run::may_open(const JobState& job, std::size_t requests) const {
  const Policy& row = leg_of(job, job.leg).policy;
  return open_in_row(row.name) + static_cast<std::int64_t>(requests) <= row.open_max;
}

/// The job makes its requests in the queueing leg that it enters, or stands in line.
void Run::come_to_gate(std::size_t j, const std::vector<Candidate>& candidates) {
  JobState& job = jobs_[j];
  const Policy& row = leg_of(job, job.leg).policy;
  const bool has_gate = job.recorded && row.open_max > 0 && !row.held;
  if (has_gate && (first_in_line(row.name) != kNone || !may_open(job, candidates.size()))) {
    note("gate: stands in line");
    job.turn_at_gate = turns_at_gates_++;
    return;
  }
  if (has_gate) note("gate: went through at once");
  for (const Candidate& candidate : candidates) make_request(j, candidate);
}

void Run::leave_gate(std::size_t j) {
  if (jobs_[j].turn_at_gate == kNone) return;
  note("gate: left the line without a request");
  jobs_[j].turn_at_gate = kNone;
  gates_changed_ = true;
}

/// Phase 3, after the steps.
void Run::look_at_gates() {
  gates_changed_ = false;
  std::vector<std::string> looked_at;
  for (const Leg& leg : world_.strategies[strategy_].legs) {
    const std::string& row = leg.policy.name;
    if (std::find(looked_at.begin(), looked_at.end(), row) != looked_at.end()) continue;
    looked_at.push_back(row);
    let_in(row);
  }
}

void Run::let_in(const std::string& row) {
  while (true) {
    const std::size_t first = first_in_line(row);
    if (first == kNone) return;
    const std::vector<Candidate> candidates = possible(jobs_[first], jobs_[first].leg);
    if (!may_open(jobs_[first], candidates.size())) return;
    note("gate: let in later");
    if (candidates.size() > 1) note("gate: let in with several requests");
    jobs_[first].turn_at_gate = kNone;
    for (const Candidate& candidate : candidates) make_request(first, candidate);
  }
}

/// A gate has to be looked at in this instant.
bool Run::gate_is_due() const {
  return gates_changed_ && std::any_of(jobs_.begin(), jobs_.end(),
                                       [](const JobState& job) { return job.turn_at_gate != kNone; });
}

}  // namespace stockout::reference
