// Rows by partition and account of Slurm, on a record that is written by hand.

#include <catch2/catch.hpp>

#include "models/measures/grouping.h"
#include "models/measures/measures.h"
#include "tests/support/made_up/measured_world.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Names = std::vector<std::string>;

/// "long" for the class train, "short" for both; Ann's jobs are of the account "science".
World slurm_world(JobColumns jobs) {
  World world = measured_world(std::move(jobs));
  world.slurm.emplace();
  slurm::Configuration& cluster = world.slurm->configuration;
  cluster.partitions = {{.name = "long", .nodes = {}}, {.name = "short", .nodes = {}}};
  cluster.associations = {{.name = "company"},
                          {.name = "science"},
                          {.name = "ann", .parent = 1, .is_user = true},
                          {.name = "bob", .parent = 1, .is_user = true}};
  world.slurm->options = {{.jobs = {.classes = {}, .users = {true, false}}, .associations = {2, 3}}};
  std::vector<Leg>& legs = world.strategies[0].legs;
  legs.push_back(legs[0]);
  legs[0].partition = "long";
  legs[0].classes = {true, false};
  legs[1].partition = "short";
  return world;
}

void pay(RunRecord& record, UserId user, ClassId job_class, SimDuration length) {
  const UsageKey key{.line = kOnDemandA, .user = user, .job_class = job_class};
  record.usage.add(key, MachineCount{1}, at(0h), at(length), MachineTime{});
}

Value jobs_in(const Measures& measures, std::size_t row) { return measures.groups[row][Measure::jobs]; }

}  // namespace

TEST_CASE("Jobs and usage belong to a partition of Slurm", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 3, kOneA, kTune, kBob);
  const World world = slurm_world(jobs);
  RunRecord record = empty_record(world);
  JobOutcome in_short = completed(0h, 0h, 2h);
  in_short.leg = 1;
  add_outcome(record, completed(0h, 0h, 2h));
  add_outcome(record, in_short);
  add_outcome(record, never_started(FinalState::expired, 0h, 1h));  // leg 0 in name only
  pay(record, kAnn, kTrain, 4h);                                    // both partitions may serve the class
  pay(record, kBob, kTune, 1h);
  CHECK(group_names(world, GroupBy::partition) == Names{"long", "short", "none or several", "idle held"});
  const Measures rows = measure(world, 0, 0, record, {.by = GroupBy::partition, .goal = {}});
  REQUIRE(rows.groups.size() == 4);
  CHECK(jobs_in(rows, 0) == Value::exact(1));
  CHECK(jobs_in(rows, 1) == Value::exact(2));
  CHECK(jobs_in(rows, 2) == Value::exact(0));
  CHECK(rows.groups[1][Measure::cost].value == Approx(3.6));
  CHECK(rows.groups[2][Measure::cost].value == Approx(4 * 3.6));
}

TEST_CASE("Jobs and usage belong to an account of Slurm, under every strategy", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 3, kOneA, kTune, kBob);
  World world = slurm_world(jobs);
  for (Leg& leg : world.strategies[0].legs) leg.partition.clear();
  RunRecord record = empty_record(world);
  for (int i = 0; i < 2; ++i) add_outcome(record, completed(0h, 0h, 2h));
  pay(record, kAnn, kTrain, 2h);
  CHECK(group_names(world, GroupBy::account) == Names{"company", "science", "no account", "idle held"});
  const Measures rows = measure(world, 0, 0, record, {.by = GroupBy::account, .goal = {}});
  REQUIRE(rows.groups.size() == 4);
  CHECK(jobs_in(rows, 0) == Value::exact(0));
  CHECK(jobs_in(rows, 1) == Value::exact(1));
  CHECK(jobs_in(rows, 2) == Value::exact(1));
  CHECK(rows.groups[1][Measure::cost].value == Approx(2 * 3.6));
}
