// What jobs add up to, from outcomes written by hand.

#include <catch2/catch.hpp>

#include "models/measures/job_tally.h"
#include "tests/support/made_up/measured_world.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

// Values of a few jobs, without a world.
Values tally(const std::vector<std::pair<Job, JobOutcome>>& jobs,
             std::optional<WaitGoal> goal = std::nullopt) {
  JobTally tally{{.goal = goal}};
  for (const auto& [job, outcome] : jobs) tally.add(job, outcome);
  Values values;
  tally.fill(values);
  return values;
}

Job job(SimDuration submit, SimDuration work = 1h, SimDuration deadline = kForever) {
  Job result;
  result.submit = at(submit);
  result.work = work;
  result.deadline = deadline;
  return result;
}

}  // namespace

TEST_CASE("A wait runs from release to first grant, and being held back is told apart", "[measures]") {
  const Values values = tally({{job(0h), completed(2h, 3h, 5h)}, {job(1h), completed(1h, 1h, 2h)}});
  CHECK(values[Measure::wait_mean] == Value::exact(0.5));
  CHECK(values[Measure::wait_max] == Value::exact(1));
  CHECK(values[Measure::held_back_mean] == Value::exact(1));
  CHECK(values[Measure::never_started_share] == Value::exact(0));
}

TEST_CASE("A wait that is all for quota leaves none for capacity, to the last bit", "[measures]") {
  for (int jobs = 2; jobs < 12; ++jobs) {
    JobTally tally{{.has_quotas = true}};
    for (int i = 0; i < jobs; ++i) {
      const SimDuration wait{1'234'567 + i * 7'654'321};
      JobOutcome outcome = completed(0h, wait, wait + 1h);
      outcome.quota.wait = wait;
      tally.add(job(0h), outcome);
    }
    Values values;
    tally.fill(values);
    CHECK(values[Measure::capacity_wait_mean] == Value::exact(0));
  }
}

TEST_CASE("The wait is that for quota and that for capacity, and refusals by quota are counted",
          "[measures]") {
  const bool starts = GENERATE(false, true);
  JobOutcome first = completed(0h, 3h, 5h);
  first.quota = {.wait = 1h, .refusals = 4};
  JobOutcome second = starts ? completed(0h, 6h, 7h) : never_started(FinalState::expired, 0h, 6h);
  second.quota = {.wait = 5h, .refusals = 1};
  JobTally jobs{{.has_quotas = true}};
  jobs.add(job(0h), first);
  jobs.add(job(0h), second);
  Values values;
  jobs.fill(values);
  const auto known = [&](double value) { return starts ? Value::exact(value) : Value::at_least(value); };
  CHECK(values[Measure::wait_mean] == known(4.5));
  CHECK(values[Measure::quota_wait_mean] == known(3));
  CHECK(values[Measure::capacity_wait_mean] == known(1.5));
  CHECK(values[Measure::quota_refusals] == Value::exact(5));
  CHECK(tally({{job(0h), first}})[Measure::quota_wait_mean].is_absent());
  CHECK(tally({{job(0h), first}})[Measure::quota_refusals].is_absent());
}

TEST_CASE("The wait for Slurm has its parts, of which that for nodes is one for capacity", "[measures]") {
  JobOutcome outcome = completed(0h, 5h, 7h);
  outcome.pending_for[WaitCause::priority] = 2h;
  outcome.pending_for[WaitCause::back_off] = 1h;
  outcome.pending_for[WaitCause::capacity] = 1h;
  outcome.pending_again[WaitCause::back_off] = 3h;
  JobTally jobs{{.has_slurm = true}};
  jobs.add(job(0h), outcome);
  Values values;
  jobs.fill(values);
  CHECK(values[Measure::priority_wait_mean] == Value::exact(2));
  CHECK(values[Measure::back_off_wait_mean] == Value::exact(1));
  CHECK(values[Measure::capacity_wait_mean] == Value::exact(2));
  CHECK(values[Measure::waited_again_mean] == Value::exact(3));
  CHECK(values[Measure::kueue_wait_mean].is_absent());
}

TEST_CASE("The wait for Kueue is a part of the wait, and its evictions are counted", "[measures]") {
  JobOutcome first = completed(0h, 3h, 5h);
  first.kueue = {.wait = 1h, .evictions = 2};
  first.pending_for[WaitCause::back_off] = 30min;
  first.pending_for[WaitCause::blocked] = 30min;
  JobOutcome second = completed(0h, 5h, 7h);
  second.kueue = {.wait = 4h};
  second.pending_for[WaitCause::borrowing] = 3h;
  second.pending_for[WaitCause::priority] = 1h;
  JobTally jobs{{.has_kueue = true}};
  jobs.add(job(0h), first);
  jobs.add(job(0h), second);
  Values values;
  jobs.fill(values);
  CHECK(values[Measure::wait_mean] == Value::exact(4));
  CHECK(values[Measure::kueue_wait_mean] == Value::exact(2.5));
  CHECK(values[Measure::borrowing_wait_mean] == Value::exact(1.5));
  CHECK(values[Measure::priority_wait_mean] == Value::exact(0.5));
  CHECK(values[Measure::back_off_wait_mean] == Value::exact(0.5));
  CHECK(values[Measure::capacity_wait_mean] == Value::exact(1.5));
  CHECK(values[Measure::kueue_evictions] == Value::exact(2));
  CHECK(values[Measure::quota_wait_mean].is_absent());
  CHECK(tally({{job(0h), first}})[Measure::kueue_wait_mean].is_absent());
  CHECK(tally({{job(0h), first}})[Measure::kueue_evictions].is_absent());
}

TEST_CASE("Exits of workers are counted where there may be any", "[measures]") {
  JobOutcome failing = completed(0h, 1h, 2h);
  failing.exits = 3;
  JobTally jobs{{.has_exits = true}};
  jobs.add(job(0h), failing);
  jobs.add(job(0h), failing);
  Values values;
  jobs.fill(values);
  CHECK(values[Measure::worker_exits] == Value::exact(6));
  CHECK(tally({{job(0h), failing}})[Measure::worker_exits].is_absent());
}

TEST_CASE("Jobs that never started make waits bounds, never shorter", "[measures]") {
  const Values values = tally({{job(0h), completed(0h, 1h, 2h)},
                               {job(0h), completed(0h, 3h, 4h)},
                               {job(0h), never_started(FinalState::refused, 0h, 0h)},
                               {job(0h), never_started(FinalState::expired, 0h, 24h)}});
  CHECK(values[Measure::wait_p50] == Value::exact(3));
  CHECK(values[Measure::wait_p95] == Value::at_least(24));
  CHECK(values[Measure::wait_mean] == Value::at_least(7));  // (1 + 3 + 0 + 24) / 4
  CHECK(values[Measure::never_started_share] == Value::exact(0.5));
  CHECK(values[Measure::refused] == Value::exact(1));
  CHECK(values[Measure::expired] == Value::exact(1));
}

TEST_CASE("Every final state is counted in its own column", "[measures]") {
  const Values values = tally({{job(0h), completed(0h, 0h, 1h)},
                               {job(0h), never_started(FinalState::expired, 0h, 1h)},
                               {job(0h), never_started(FinalState::refused, 0h, 1h)},
                               {job(0h), never_started(FinalState::failed, 0h, 1h)},
                               {job(0h), never_started(FinalState::cut_off, 0h, 1h)},
                               {job(0h), never_started(FinalState::unfinished, 0h, 1h)}});
  CHECK(values[Measure::jobs] == Value::exact(6));
  for (const Measure state : {Measure::completed, Measure::expired, Measure::refused, Measure::failed,
                              Measure::cut_off, Measure::unfinished}) {
    CHECK(values[state] == Value::exact(1));
  }
}

TEST_CASE("Queued in all is every millisecond without a lease, also between attempts", "[measures]") {
  JobOutcome twice = completed(0h, 1h, 10h);
  twice.leased = 4h;  // preempted, and five hours in the queue again
  twice.preemptions = 1;
  const Values values = tally({{job(0h), twice}, {job(0h), completed(0h, 0h, 1h)}});
  CHECK(values[Measure::queued_mean] == Value::exact(3));
  CHECK(values[Measure::preemptions_per_job] == Value::exact(0.5));
}

TEST_CASE("Start delay is a mean over started jobs only", "[measures]") {
  JobOutcome slow = completed(0h, 0h, 1h);
  slow.start_delay = 30min;
  const Values values = tally({{job(0h), slow}, {job(0h), never_started(FinalState::failed, 0h, 1h)}});
  CHECK(values[Measure::start_delay_mean] == Value::exact(0.5));
  const Values none = tally({{job(0h), never_started(FinalState::failed, 0h, 1h)}});
  CHECK(none[Measure::start_delay_mean].is_absent());
}

TEST_CASE("A deadline is missed by not being completed in time, and impossible ones are told apart",
          "[measures]") {
  const Values values = tally({{job(1h, 1h, 2h), completed(1h, 2h, 3h)},        // exactly in time
                               {job(1h, 1h, 2h), completed(1h, 2h, 3h + 1ms)},  // late
                               {job(1h, 1h, 2h), never_started(FinalState::failed, 1h, 2h)},
                               {job(1h, 3h, 2h), completed(1h, 1h, 4h)},  // no way to make it
                               {job(1h, 1h), completed(1h, 90h, 91h)}});  // none
  CHECK(values[Measure::with_deadline] == Value::exact(4));
  CHECK(values[Measure::deadline_missed] == Value::exact(2));
  CHECK(values[Measure::deadline_impossible] == Value::exact(1));
}

TEST_CASE("The share within the goal counts jobs that never started as late", "[measures]") {
  Job other = job(0h);
  other.job_class = kTune;
  const std::vector<std::pair<Job, JobOutcome>> jobs{{job(0h), completed(0h, 1h, 2h)},
                                                     {job(0h), completed(0h, 2h, 3h)},
                                                     {other, never_started(FinalState::refused, 0h, 0h)}};
  CHECK(tally(jobs)[Measure::within_goal_share].is_absent());
  CHECK(tally(jobs,
              WaitGoal{.quantile = 0.9, .at_most = 1h, .job_class = std::nullopt})[Measure::within_goal_share]
            .value == Approx(1.0 / 3));
  CHECK(tally(jobs, WaitGoal{.quantile = 0.9, .at_most = 1h, .job_class = kTrain})[Measure::within_goal_share]
            .value == Approx(0.5));
}

TEST_CASE("A start that never led to completion does not meet the goal", "[measures]") {
  const WaitGoal goal{.quantile = 0.9, .at_most = 1h, .job_class = std::nullopt};
  JobOutcome cut = completed(0h, 0h, 2h);
  cut.state = FinalState::cut_off;
  JobOutcome open = completed(0h, 0h, 2h);
  open.state = FinalState::unfinished;
  const std::vector<std::pair<Job, JobOutcome>> jobs{
      {job(0h), completed(0h, 1h, 2h)}, {job(0h), completed(0h, 2h, 3h)}, {job(0h), cut}, {job(0h), open}};
  const Values drained = tally(jobs, goal);
  CHECK(drained[Measure::within_goal_share].value == Approx(0.75));
  CHECK(drained[Measure::goal_met_share].value == Approx(0.25));
  // A run that ends at a time does not know what will become of the open job.
  JobTally timed{{.goal = goal, .open_may_complete = true}};
  for (const auto& [each, outcome] : jobs) timed.add(each, outcome);
  Values values;
  timed.fill(values);
  CHECK(values[Measure::goal_met_share].value == Approx(0.5));
}

TEST_CASE("A job that its group holds back to the end has not waited", "[measures]") {
  const Values values = tally({{job(0h), never_started(FinalState::unfinished, 5h, 3h)}});
  CHECK(values[Measure::wait_max] == Value::at_least(0));
}

TEST_CASE("No job, no wait", "[measures]") {
  const Values values = tally({});
  CHECK(values[Measure::jobs] == Value::exact(0));
  CHECK(values[Measure::wait_mean].is_absent());
  CHECK(values[Measure::never_started_share].is_absent());
}

TEST_CASE("A deadline that the fastest place could meet is missed, not impossible", "[measures][speed]") {
  const Job hurried = job(0h, 10h, 6h);
  const JobOutcome late = completed(0h, 0h, 10h);
  JobTally both{JobTallyTerms{}};
  both.add(hurried, late, 2'000'000);
  both.add(hurried, late, 1'600'000);
  Values values;
  both.fill(values);
  CHECK(values[Measure::deadline_missed] == Value::exact(1));
  CHECK(values[Measure::deadline_impossible] == Value::exact(1));
}
