#include "models/measures/goal_tally.h"

#include "models/measures/goal_rule.h"

namespace stockout {
namespace {

// What is more work than time to the deadline, wherever it runs, no way of buying can help.
bool is_asked_of(const Goal& goal, const Job& job, Rate fastest) {
  if (goal.job_class && *goal.job_class != job.job_class) return false;
  if (goal.kind == Goal::Kind::budget) return false;
  if (goal.kind != Goal::Kind::meets_deadlines) return true;
  return job.deadline != kForever && time_at(fastest, job.work) <= job.deadline;
}

}  // namespace

GoalTally::GoalTally(std::span<const Goal> goals, bool open_may_complete)
    : goals_{goals}, open_may_complete_{open_may_complete}, counts_(goals.size()) {}

bool GoalTally::is_met(const Goal& goal, const Job& job, const JobOutcome& outcome) const {
  switch (goal.kind) {
    case Goal::Kind::starts:
      return outcome.first_grant != kNever && wait_of(outcome) <= goal.at_most &&
             counts_as_completed(outcome.state, open_may_complete_);
    case Goal::Kind::meets_deadlines:
      return outcome.state == FinalState::completed && outcome.finished <= later(job.submit, job.deadline);
    case Goal::Kind::completes:
      return counts_as_completed(outcome.state, open_may_complete_);
    case Goal::Kind::budget:
      break;
  }
  return false;
}

void GoalTally::add(const Job& job, const JobOutcome& outcome, Rate fastest) {
  for (std::size_t i = 0; i < goals_.size(); ++i) {
    if (!is_asked_of(goals_[i], job, fastest)) continue;
    ++counts_[i].jobs;
    if (is_met(goals_[i], job, outcome)) ++counts_[i].met;
  }
}

std::vector<GoalMet> GoalTally::met(const Value& cost) const {
  std::vector<GoalMet> met(goals_.size());
  for (std::size_t i = 0; i < goals_.size(); ++i) {
    const Count& count = counts_[i];
    met[i].jobs = count.jobs;
    if (goals_[i].kind == Goal::Kind::budget) {
      met[i].value = cost;
    } else if (count.jobs > 0) {
      met[i].value = Value::exact(static_cast<double>(count.met) / static_cast<double>(count.jobs));
    }
  }
  return met;
}

}  // namespace stockout
