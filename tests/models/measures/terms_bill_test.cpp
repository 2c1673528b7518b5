// Existing commitments, other costs, and capacity lost between jobs: records written by hand, numbers that
// can be checked on paper. The world is that of measured_world.h, with the reservation at the on-demand
// price.

#include <catch2/catch.hpp>

#include "models/measures/consecutive_jobs.h"
#include "models/measures/measures.h"
#include "tests/support/made_up/measured_world.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

World world_on_demand(JobColumns jobs = {}) {
  World world = measured_world(std::move(jobs));
  for (const PriceLineId line : {kHeldA, kSubletA}) {
    world.price_lines[index(line)].model = PriceModel::on_demand;
    world.price_lines[index(line)].steps.front().list = dollars(3.6);
    world.price_lines[index(line)].steps.front().contracted = dollars(3.6);
  }
  return world;
}

void use(RunRecord& record, PriceLineId line, std::int64_t machines, SimDuration from, SimDuration to,
         MachineTime rounding = {}, UserId user = kAnn, ClassId job_class = kTrain) {
  record.usage.add({.line = line, .user = user, .job_class = job_class}, MachineCount{machines}, at(from),
                   at(to), rounding);
}

Commitment commitment(std::int64_t machines, SimDuration from, SimDuration to, double usd = 1.8) {
  Commitment result;
  result.machines = MachineCount{machines};
  result.start = at(from);
  result.end = at(to);
  result.list = dollars(2 * usd);
  result.contracted = dollars(usd);
  return result;
}

// Of machine A, which is held and leased on demand.
BillTerms terms_of(std::vector<Commitment> commitments) {
  BillTerms terms;
  Coverage coverage{.commitments = {}, .lines = {kHeldA, kOnDemandA}};
  for (std::size_t i = 0; i < commitments.size(); ++i) coverage.commitments.push_back(i);
  terms.commitments = std::move(commitments);
  terms.coverage = {coverage};
  return terms;
}

Values total(const World& world, const RunRecord& record, const BillTerms& terms) {
  return measure(world, 0, 0, record, {.by = GroupBy::nothing, .goal = {}, .terms = &terms}).total;
}

Job job(SimDuration submit, UserId user = kAnn, ClassId job_class = kTrain) {
  Job result;
  result.submit = at(submit);
  result.user = user;
  result.job_class = job_class;
  return result;
}

}  // namespace

TEST_CASE("A commitment covers reservations first, hour by hour, until it ends", "[terms]") {
  const World world = world_on_demand();
  RunRecord record = empty_record(world);
  use(record, kHeldA, 1, 0h, 24h);      // 24 machine-hours
  use(record, kOnDemandA, 2, 9h, 12h);  // 6 machine-hours
  // Two machines until 10:30. Covered: the reservation in the hours 0 to 8 (9); it and one of the two others
  // in hour 9 (2); of hour 10 one machine-hour is left, and the reservation has it (1).
  const Values values = total(world, record, terms_of({commitment(2, -100h, 10h + 30min)}));
  CHECK(values[Measure::covered].value == Approx(12 * 3.6));
  CHECK(values[Measure::cost_sunk].value == Approx(2 * 10.5 * 1.8));
  CHECK(values[Measure::sunk_left].value == 0);
  CHECK(values[Measure::cost].value == Approx(30 * 3.6 - 12 * 3.6 + 37.8));
  CHECK(values[Measure::cost_open].value == Approx(18 * 3.6));
  CHECK(values[Measure::cost_list].value == Approx(18 * 3.6 + 2 * 37.8));
  CHECK(values[Measure::cost_held].value == Approx(24 * 3.6));  // before what is covered
  CHECK(values[Measure::cost_direct].value == Approx(6 * 3.6));
}

TEST_CASE("What is left of a term is beside the cost, and covers the drain", "[terms]") {
  const World world = world_on_demand();
  RunRecord record = empty_record(world);
  record.end = record.hold_end = at(30h);
  use(record, kOnDemandA, 1, 23h, 26h);
  const Values values = total(world, record, terms_of({commitment(2, 20h, 48h)}));
  CHECK(values[Measure::cost_sunk].value == Approx(2 * 4 * 1.8));   // within the window of 24 h
  CHECK(values[Measure::sunk_left].value == Approx(2 * 24 * 1.8));  // to the end of the term
  CHECK(values[Measure::cost_open].value == 0);
  CHECK(values[Measure::cost].value == values[Measure::cost_sunk].value);
}

TEST_CASE("The cost of the drain is that of the hours after the window, less what is covered then",
          "[terms]") {
  const World world = world_on_demand();
  RunRecord record = empty_record(world);
  record.end = record.hold_end = at(30h);
  use(record, kOnDemandA, 2, 23h, 26h);  // two machines, two of three hours after the window of 24 h
  const Values alone = total(world, record, terms_of({}));
  CHECK(alone[Measure::cost].value == Approx(6 * 3.6));
  CHECK(alone[Measure::cost_drain].value == Approx(4 * 3.6));
  const Values one_covered = total(world, record, terms_of({commitment(1, 20h, 25h)}));
  CHECK(one_covered[Measure::covered].value == Approx(2 * 3.6));
  CHECK(one_covered[Measure::cost_drain].value == Approx(3 * 3.6));
}

TEST_CASE("Commitments to one machine add up, and idle ones are paid as well", "[terms]") {
  const World world = world_on_demand();
  RunRecord record = empty_record(world);
  use(record, kOnDemandA, 3, 1h, 2h);
  const Values both = total(world, record, terms_of({commitment(1, 0h, 24h), commitment(1, 0h, 24h, 1)}));
  CHECK(both[Measure::covered].value == Approx(2 * 3.6));
  CHECK(both[Measure::cost].value == Approx(3.6 + 24 * 1.8 + 24 * 1));
  const Values later = total(world, record, terms_of({commitment(3, 24h, 48h)}));
  CHECK(later[Measure::cost_sunk].value == 0);
  CHECK(later[Measure::covered].value == 0);
  CHECK(later[Measure::cost].value == Approx(3 * 3.6));
}

TEST_CASE("Rounding is covered with the lease; other prices never are", "[terms]") {
  const World world = world_on_demand();
  RunRecord record = empty_record(world);
  use(record, kOnDemandA, 1, 1h, 1h + 30s, MachineTime{30'000});  // billed a minute
  use(record, kSpotB, 1, 1h, 2h, {}, kBob);
  const Values values = total(world, record, terms_of({commitment(1, 0h, 24h)}));
  CHECK(values[Measure::covered].value == Approx(0.06));
  CHECK(values[Measure::cost_open].value == Approx(7.2));
}

TEST_CASE("Without terms a cost is that of the machines, and there is nothing sunk", "[terms]") {
  const World world = world_on_demand();
  RunRecord record = empty_record(world);
  use(record, kOnDemandA, 1, 1h, 2h);
  const Values values = measure(world, 0, 0, record).total;
  CHECK(values[Measure::cost].value == Approx(3.6));
  for (const Measure absent :
       {Measure::cost_sunk, Measure::covered, Measure::cost_open, Measure::sunk_left, Measure::cost_other}) {
    CHECK(values[absent].is_absent());
  }
}

TEST_CASE("Other costs count hours of the window, jobs that started, and leased GPU-hours", "[terms]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 1, kFourB, kTune, kBob);
  add_job(jobs, 0, 1, kOneA, kTune, kBob);
  const World world = world_on_demand(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 2h));
  add_outcome(record, completed(0h, 1h, 2h));
  add_outcome(record, never_started(FinalState::refused, 0h, 0h));
  use(record, kOnDemandA, 1, 0h, 2h);                 // 2 GPU-hours of train
  use(record, kSpotB, 1, 1h, 2h, {}, kBob, kTune);    // 4 GPU-hours of tune
  use(record, kSubletA, 1, 3h, 4h, {}, kBob, kTune);  // 1 GPU-hour of tune, on held capacity
  use(record, kHeldA, 2, 0h, 24h);                    // not leased by a job
  const auto other = [](CostUnit unit, double usd, std::vector<bool> classes = {}) {
    OtherCost cost;
    cost.unit = unit;
    cost.price = dollars(usd);
    cost.classes = std::move(classes);
    return cost;
  };
  BillTerms terms;
  terms.other = {other(CostUnit::hour, 2),        other(CostUnit::once, 5),
                 other(CostUnit::job, 0.5),       other(CostUnit::job, 0.5, {false, true}),
                 other(CostUnit::gpu_hour, 0.1),  other(CostUnit::gpu_hour, 0.1, {true, false}),
                 other(CostUnit::once, 1'000'000)};
  terms.other.back().strategies = {false};
  const Measures measured =
      measure(world, 0, 0, record, {.by = GroupBy::nothing, .goal = {}, .terms = &terms});
  const std::vector<double> expected{48, 5, 1, 0.5, 0.7, 0.2, 0};
  REQUIRE(measured.other.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(measured.other[i] == Approx(expected[i]));
  CHECK(measured.total[Measure::cost_other].value == Approx(55.4));
  CHECK(measured.total[Measure::cost].value == Approx(2 * 3.6 + 7.2 + 48 * 3.6 + 55.4));
}

TEST_CASE("A job follows another of its user and class that ended within the time", "[consecutive]") {
  ConsecutiveJobs jobs{1h};
  CHECK_FALSE(jobs.add(job(0h), completed(0h, 0h, 2h)));
  CHECK_FALSE(jobs.add(job(1h), completed(1h, 1h, 9h)));                 // the first is not done yet
  CHECK(jobs.add(job(2h), completed(2h, 2h, 4h)));                       // in the instant of its end
  CHECK(jobs.add(job(3h), never_started(FinalState::expired, 3h, 5h)));  // an hour after it
  CHECK_FALSE(jobs.add(job(3h, kBob), completed(3h, 3h, 4h)));
  CHECK_FALSE(jobs.add(job(3h, kAnn, kTune), completed(3h, 3h, 4h)));
  CHECK_FALSE(jobs.add(job(3h + 1ms), completed(3h + 1ms, 4h, 5h)));
  CHECK(jobs.add(job(5h + 30min), completed(6h, 6h, 7h)));  // held back by its group: released by an end
  CHECK_FALSE(jobs.add(job(8h + 1ms), completed(8h + 1ms, 8h + 1ms, 9h)));
}

TEST_CASE("A job that its group still holds back at the end follows nothing", "[consecutive]") {
  ConsecutiveJobs jobs{1h};
  CHECK_FALSE(jobs.add(job(0h), completed(0h, 0h, 24h)));
  CHECK_FALSE(jobs.add(job(1h), never_started(FinalState::unfinished, 24h, 24h)));
}

TEST_CASE("Capacity lost between jobs is the share of followers that were not granted at once",
          "[consecutive]") {
  JobColumns columns;
  for (const int hour : {0, 2, 4, 6, 12}) add_job(columns, hour, 1, kOneA, kTrain, kAnn);
  const World world = world_on_demand(columns);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 2h));
  add_outcome(record, completed(2h, 2h, 3h + 30min));  // follows, at once
  add_outcome(record, completed(4h, 4h + 30min, 6h));  // follows, half an hour late
  add_outcome(record, completed(6h, 7h, 8h));          // follows, an hour late
  add_outcome(record, completed(12h, 15h, 16h));       // late, and follows nothing
  const Values values = measure(world, 0, 0, record).total;
  CHECK(values[Measure::consecutive].value == 3);
  CHECK(values[Measure::lost_between].value == Approx(2.0 / 3));
  CHECK(values[Measure::lost_between_wait] == Value::exact(0.75));

  const Values wide = measure(world, 0, 0, record, {.by = GroupBy::nothing, .goal = {}, .between = 4h}).total;
  CHECK(wide[Measure::consecutive].value == 4);
  CHECK(wide[Measure::lost_between_wait] == Value::exact(1.5));

  record.jobs.set(3, never_started(FinalState::refused, 6h, 6h));
  const Values refused = measure(world, 0, 0, record).total;
  CHECK(refused[Measure::lost_between].value == Approx(2.0 / 3));
  CHECK(refused[Measure::lost_between_wait] == Value::at_least(0.25));
  CHECK(measure(world_on_demand(), 0, 0, empty_record(world)).total[Measure::lost_between].is_absent());
}
