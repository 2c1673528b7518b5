// Rows by queue and cohort of Kueue, on a record that is written by hand.

#include <catch2/catch.hpp>

#include "models/measures/grouping.h"
#include "models/measures/measures.h"
#include "tests/support/made_up/made_up_kueue.h"
#include "tests/support/made_up/measured_world.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

void book(RunRecord& record, PriceLineId line, UserId user, ClassId job_class, SimDuration from,
          SimDuration to, const TimeSplit& split) {
  const UsageKey key{.line = line, .user = user, .job_class = job_class};
  record.usage.add(key, MachineCount{1}, at(from), at(to), MachineTime{});
  record.usage.add_split(key, split);
}

GpuTime gpu_hours(double hours) { return GpuTime{static_cast<std::int64_t>(hours * 3'600'000)}; }

}  // namespace

TEST_CASE("Jobs belong to the queue of their class and user, and to its cohort", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 3, kOneA, kTune, kBob);
  add_job(jobs, 0, 3, kOneA, kTune, kAnn);
  World world = measured_world(jobs);
  add_queue(world, "c", {}, {.classes = {true, false}});
  add_queue(world, "a", {}, {.cohort = "all"});
  add_queue(world, "b", {}, {.cohort = "all"});
  world.kueue->entrances[1].jobs.users = {true, false};
  RunRecord record = empty_record(world);
  for (int i = 0; i < 3; ++i) add_outcome(record, completed(0h, 0h, 2h));
  book(record, kOnDemandA, kAnn, kTrain, 0h, 2h, {.useful = gpu_hours(2), .completed = gpu_hours(2)});
  record.kueue_queues = {{"a", {.admitted = 3, .held = gpu_hours(4), .borrowed = gpu_hours(1)}},
                         {"b", {.admitted = 1, .held = gpu_hours(2)}},
                         {"c", {}}};
  record.evictions[{.queue = "a", .reason = "InClusterQueue", .by = "a"}] = 2;

  CHECK(group_names(world, GroupBy::cluster_queue) == std::vector<std::string>{"a", "b", "c", "idle held"});
  const MeasureOptions options{.by = GroupBy::cluster_queue, .goal = {}};
  // Quotas of machines with several GPU types are not added.
  CHECK(measure(world, 0, 0, record, options).total[Measure::kueue_held].is_absent());
  for (Leg& leg : world.strategies[0].legs) leg.candidates = {leg.candidates[index(kOneA)], {}, {}};
  const Measures by_queue = measure(world, 0, 0, record, options);
  REQUIRE(by_queue.groups.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) CHECK(by_queue.groups[i][Measure::jobs] == Value::exact(1));
  CHECK(by_queue.groups[2][Measure::cost].value == Approx(2 * 3.6));
  CHECK(by_queue.groups[0][Measure::kueue_admitted] == Value::exact(3));
  CHECK(by_queue.groups[0][Measure::kueue_held] == Value::exact(4));
  CHECK(by_queue.groups[0][Measure::kueue_borrowed] == Value::exact(1));
  CHECK(by_queue.groups[1][Measure::kueue_borrowed] == Value::exact(0));
  CHECK(by_queue.groups[3][Measure::kueue_admitted].is_absent());
  CHECK(by_queue.total[Measure::kueue_held] == Value::exact(6));
  CHECK(by_queue.evictions == record.evictions);

  CHECK(group_names(world, GroupBy::cohort) == std::vector<std::string>{"all", "no cohort", "idle held"});
  const Measures by_cohort = measure(world, 0, 0, record, {.by = GroupBy::cohort, .goal = {}});
  CHECK(by_cohort.groups[0][Measure::jobs] == Value::exact(2));
  CHECK(by_cohort.groups[0][Measure::kueue_admitted] == Value::exact(4));
  CHECK(by_cohort.groups[1][Measure::jobs] == Value::exact(1));

  record.kueue_queues.clear();  // a strategy that is not under Kueue
  const Measures without = measure(world, 0, 0, record, {.by = GroupBy::cohort, .goal = {}});
  CHECK(without.groups[0][Measure::jobs] == Value::exact(2));
  CHECK(without.total[Measure::kueue_admitted].is_absent());
}
