#include "models/measures/job_tally.h"

#include <algorithm>

#include "models/measures/goal_rule.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

bool started(const JobOutcome& outcome) { return outcome.first_grant != kNever; }

double mean(double sum, std::uint64_t count) { return sum / static_cast<double>(count); }

}  // namespace

JobTallyTerms tally_terms(const World& world, const std::optional<WaitGoal>& goal) {
  return {.goal = goal,
          .open_may_complete = open_may_complete(world),
          .has_quotas = !world.quotas.empty(),
          .has_kueue = world.kueue.has_value(),
          .has_slurm = world.slurm.has_value(),
          .has_pipelines = world.has_pipelines(),
          .has_exits = world.has_exits()};
}

void JobTally::add(const Job& job, const JobOutcome& outcome, Rate fastest, bool follows) {
  ++jobs_;
  ++states_[static_cast<std::size_t>(outcome.state)];
  preemptions_ += outcome.preemptions;
  quota_refusals_ += outcome.quota.refusals;
  quota_wait_h_ += to_hours(outcome.quota.wait);
  kueue_evictions_ += outcome.kueue.evictions;
  worker_exits_ += outcome.exits;
  kueue_wait_h_ += to_hours(outcome.kueue.wait);
  borrowing_wait_h_ += to_hours(outcome.pending_for[WaitCause::borrowing]);
  priority_wait_h_ += to_hours(outcome.pending_for[WaitCause::priority]);
  back_off_wait_h_ +=
      to_hours(outcome.pending_for[WaitCause::back_off] + outcome.pending_for[WaitCause::blocked]);
  waited_again_h_ += to_hours(outcome.pending_again.sum());
  add_deadline(job, outcome, fastest);
  add_to_goal(job, outcome);

  // A job that its pipeline or group still holds back when the run ends is never released: it has not waited
  // yet.
  const SimDuration in_system = std::max(SimDuration::zero(), outcome.finished - outcome.released);
  const SimDuration wait = started(outcome) ? outcome.first_grant - outcome.released : in_system;
  if (started(outcome)) {
    waits_.add(wait);
    start_delay_h_ += to_hours(outcome.start_delay);
  } else {
    waits_.add_censored(wait);
  }
  const SimDuration pending_for = outcome.pending_for.sum() - outcome.pending_for[WaitCause::capacity];
  capacity_wait_h_ += to_hours(wait - outcome.quota.wait - pending_for);
  if (follows) add_follower(outcome, in_system);
  queued_h_ += to_hours(in_system - outcome.leased);
  held_back_h_ += to_hours(outcome.released - job.submit);
}

void JobTally::add_follower(const JobOutcome& outcome, SimDuration in_system) {
  ++followers_;
  if (outcome.first_grant == outcome.released) return;
  ++followers_waited_;
  if (!started(outcome)) ++followers_in_vain_;
  followers_wait_h_ += to_hours(started(outcome) ? outcome.first_grant - outcome.released : in_system);
}

void JobTally::add_to_goal(const Job& job, const JobOutcome& outcome) {
  if (!terms_.goal || !is_about(terms_.goal, job.job_class)) return;
  ++goal_jobs_;
  if (!started(outcome) || wait_of(outcome) > terms_.goal->at_most) return;
  ++within_goal_;
  if (counts_as_completed(outcome.state, terms_.open_may_complete)) ++goal_met_;
}

void JobTally::add_deadline(const Job& job, const JobOutcome& outcome, Rate fastest) {
  if (job.deadline == kForever) return;
  ++with_deadline_;
  const bool in_time =
      outcome.state == FinalState::completed && outcome.finished <= later(job.submit, job.deadline);
  if (time_at(fastest, job.work) > job.deadline) {
    ++deadline_impossible_;
  } else if (!in_time) {
    ++deadline_missed_;
  }
}

void JobTally::fill(Values& values) const {
  const auto count = [&](Measure measure, std::uint64_t n) { values.set(measure, static_cast<double>(n)); };
  const auto state = [&](Measure measure, FinalState s) {
    count(measure, states_[static_cast<std::size_t>(s)]);
  };
  count(Measure::jobs, jobs_);
  state(Measure::completed, FinalState::completed);
  state(Measure::expired, FinalState::expired);
  state(Measure::refused, FinalState::refused);
  state(Measure::failed, FinalState::failed);
  state(Measure::cut_off, FinalState::cut_off);
  state(Measure::unfinished, FinalState::unfinished);
  if (terms_.has_pipelines) state(Measure::skipped, FinalState::skipped);
  count(Measure::with_deadline, with_deadline_);
  count(Measure::deadline_missed, deadline_missed_);
  count(Measure::deadline_impossible, deadline_impossible_);
  if (terms_.has_quotas) count(Measure::quota_refusals, quota_refusals_);
  if (terms_.has_kueue) count(Measure::kueue_evictions, kueue_evictions_);
  if (terms_.has_exits) count(Measure::worker_exits, worker_exits_);
  if (goal_jobs_ > 0) {
    values.set(Measure::within_goal_share, mean(static_cast<double>(within_goal_), goal_jobs_));
    values.set(Measure::goal_met_share, mean(static_cast<double>(goal_met_), goal_jobs_));
  }
  if (jobs_ > 0) fill_times(values);
  fill_followers(values);
}

void JobTally::fill_followers(Values& values) const {
  values.set(Measure::consecutive, static_cast<double>(followers_));
  if (followers_ > 0)
    values.set(Measure::lost_between, mean(static_cast<double>(followers_waited_), followers_));
  if (followers_waited_ == 0) return;
  const double wait = mean(followers_wait_h_, followers_waited_);
  values[Measure::lost_between_wait] = followers_in_vain_ > 0 ? Value::at_least(wait) : Value::exact(wait);
}

void JobTally::fill_times(Values& values) const {
  const auto censored = static_cast<std::uint64_t>(waits_.censored());
  const auto wait = [&](Measure measure, double q) {
    const KnownDuration at = waits_.quantile(q);
    values[measure] = at.at_least ? Value::at_least(to_hours(at.value)) : Value::exact(to_hours(at.value));
  };
  const double wait_mean = waits_.mean_ms() / kMsPerHour;
  values[Measure::wait_mean] = censored > 0 ? Value::at_least(wait_mean) : Value::exact(wait_mean);
  fill_causes(values);
  wait(Measure::wait_p50, 0.5);
  wait(Measure::wait_p95, 0.95);
  wait(Measure::wait_max, 1.0);
  values.set(Measure::never_started_share, mean(static_cast<double>(censored), jobs_));
  if (jobs_ > censored) values.set(Measure::start_delay_mean, mean(start_delay_h_, jobs_ - censored));
  values.set(Measure::queued_mean, mean(queued_h_, jobs_));
  values.set(Measure::held_back_mean, mean(held_back_h_, jobs_));
  values.set(Measure::preemptions_per_job, mean(static_cast<double>(preemptions_), jobs_));
}

// Parts of the mean wait, which is a bound from below if one never started.
void JobTally::fill_causes(Values& values) const {
  const auto part = [&](Measure measure, double hours) {
    const double value = mean(hours, jobs_);
    values[measure] = waits_.censored() > 0 ? Value::at_least(value) : Value::exact(value);
  };
  if (terms_.has_quotas) part(Measure::quota_wait_mean, quota_wait_h_);
  if (terms_.has_kueue) {
    part(Measure::kueue_wait_mean, kueue_wait_h_);
    part(Measure::borrowing_wait_mean, borrowing_wait_h_);
  }
  if (terms_.has_kueue || terms_.has_slurm) {
    part(Measure::priority_wait_mean, priority_wait_h_);
    part(Measure::back_off_wait_mean, back_off_wait_h_);
    values.set(Measure::waited_again_mean, mean(waited_again_h_, jobs_));
  }
  if (terms_.has_quotas || terms_.has_kueue || terms_.has_slurm)
    part(Measure::capacity_wait_mean, capacity_wait_h_);
}

}  // namespace stockout
