// Goals of several kinds, over outcomes written by hand.

#include <catch2/catch.hpp>

#include "models/measures/goal_tally.h"
#include "models/measures/goal_text.h"
#include "tests/support/made_up/measured_world.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

Job job_of(ClassId job_class, SimDuration work, SimDuration deadline) {
  Job job;
  job.submit = at(0h);
  job.work = work;
  job.deadline = deadline;
  job.job_class = job_class;
  return job;
}

constexpr ClassId kFirst{0};
constexpr ClassId kSecond{1};

}  // namespace

TEST_CASE("Goals count the jobs that they are about, each by its rule", "[goals]") {
  const std::vector<Goal> goals{
      {.kind = Goal::Kind::starts, .least = 0.9, .at_most = 2h, .job_class = {}},
      {.kind = Goal::Kind::starts, .least = 0.9, .at_most = 2h, .job_class = kSecond},
      {.kind = Goal::Kind::meets_deadlines, .least = 1, .at_most = {}, .job_class = {}},
      {.kind = Goal::Kind::completes, .least = 1, .at_most = {}, .job_class = kFirst},
      {.kind = Goal::Kind::budget, .least = 1, .at_most = {}, .budget_usd = 200, .job_class = {}}};
  GoalTally tally{goals, false};
  tally.add(job_of(kFirst, 1h, 4h), completed(0h, 1h, 3h), kReferenceRate);  // in time
  tally.add(job_of(kFirst, 1h, 4h), completed(0h, 3h, 5h), kReferenceRate);  // starts and ends late
  tally.add(job_of(kFirst, 9h, 4h), completed(0h, 2h, 11h),
            kReferenceRate);  // its deadline was never possible
  tally.add(job_of(kSecond, 1h, kForever), never_started(FinalState::expired, 0h, 6h), kReferenceRate);
  const std::vector<GoalMet> met = tally.met(Value::exact(150));
  CHECK(met[0] == GoalMet{.value = Value::exact(0.5), .jobs = 4});
  CHECK(met[1] == GoalMet{.value = Value::exact(0), .jobs = 1});
  CHECK(met[2] == GoalMet{.value = Value::exact(0.5), .jobs = 2});
  CHECK(met[3] == GoalMet{.value = Value::exact(1), .jobs = 3});
  CHECK(met[4] == GoalMet{.value = Value::exact(150), .jobs = 0});
  CHECK(goals[0].margin(0.5) == Approx(-0.4));
  CHECK(goals[4].margin(150) == Approx(0.25));
  CHECK(goals[4].margin(250) == Approx(-0.25));
}

TEST_CASE("A goal about no job that came has no value", "[goals]") {
  const std::vector<Goal> goals{
      {.kind = Goal::Kind::meets_deadlines, .least = 1, .at_most = {}, .job_class = {}}};
  GoalTally tally{goals, false};
  tally.add(job_of(kFirst, 1h, kForever), completed(0h, 1h, 3h), kReferenceRate);
  CHECK(tally.met(Value::exact(1))[0].value.is_absent());
}

TEST_CASE("Goals are said in words", "[goals]") {
  const auto words = [](const Goal& goal) { return goal_text(goal, "training"); };
  CHECK(words({.kind = Goal::Kind::starts, .least = 0.95, .at_most = 4h, .job_class = {}}) ==
        "95 % of training jobs start within 4h and complete");
  CHECK(words({.kind = Goal::Kind::meets_deadlines, .least = 0.99, .at_most = {}, .job_class = {}}) ==
        "99 % of training jobs meet their deadline");
  CHECK(words({.kind = Goal::Kind::completes, .least = 1, .at_most = {}, .job_class = {}}) ==
        "100 % of training jobs complete");
  CHECK(words({.kind = Goal::Kind::budget, .least = 1, .at_most = {}, .budget_usd = 5e4, .job_class = {}}) ==
        "the cost is at most $50,000 on average");
}
