// Measures of records written by hand: every number can be checked on paper.

#include <catch2/catch.hpp>

#include "models/measures/grouping.h"
#include "models/measures/measures.h"
#include "sim/core/check.h"
#include "tests/support/made_up/measured_world.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

constexpr ShapeId kEither{2};

void book(RunRecord& record, PriceLineId line, UserId user, ClassId job_class, SimDuration from,
          SimDuration to, const TimeSplit& split) {
  const UsageKey key{.line = line, .user = user, .job_class = job_class};
  record.usage.add(key, MachineCount{1}, at(from), at(to), MachineTime{});
  record.usage.add_split(key, split);
}

GpuTime gpu_hours(double hours) { return GpuTime{static_cast<std::int64_t>(hours * 3'600'000)}; }

// Two held machines for the whole day, of which jobs lease `sublet` GPU-hours.
void book_held(RunRecord& record, double sublet) {
  const UsageKey key{.line = kHeldA};
  record.usage.add(key, MachineCount{2}, kStart, at(24h), MachineTime{});
  record.usage.add_split(key, {.idle = gpu_hours(48 - sublet)});
}

}  // namespace

TEST_CASE("Work done is that of completed jobs, of the GPU type with the least", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);   // 2 GPU-h of A, completed
  add_job(jobs, 0, 6, kOneA, kTrain, kBob);   // 6 GPU-h of A, refused
  add_job(jobs, 0, 1, kFourB, kTune, kAnn);   // 4 GPU-h of B, completed
  add_job(jobs, 0, 1, kFourB, kTune, kBob);   // 4 GPU-h of B, cut off
  add_job(jobs, 0, 9, kEither, kTune, kBob);  // 9 GPU-h of any, completed
  const World world = measured_world(jobs);
  RunRecord record = empty_record(world);
  JobOutcome cut = completed(0h, 0h, 1h);
  cut.state = FinalState::cut_off;
  for (const JobOutcome& outcome : {completed(0h, 0h, 2h), never_started(FinalState::refused, 0h, 0h),
                                    completed(0h, 0h, 1h), cut, completed(0h, 0h, 9h)}) {
    add_outcome(record, outcome);
  }
  const Measures measures = measure(world, 0, 0, record, {.by = GroupBy::job_class, .goal = std::nullopt});
  CHECK(measures.total[Measure::work_done_share].value == Approx(0.25));
  CHECK(measures.groups[0][Measure::work_done_share].value == Approx(0.25));
  CHECK(measures.groups[1][Measure::work_done_share].value == Approx(0.5));
  CHECK(measure(measured_world({}), 0, 0, empty_record(world)).total[Measure::work_done_share].is_absent());
}

TEST_CASE("How often sets began anew and were given back is told where there are sets", "[measures]") {
  World world = measured_world({});
  RunRecord record = empty_record(world);
  record.sets = {.restarts = 3, .given_back = 2};
  CHECK(measure(world, 0, 0, record).total[Measure::set_restarts].is_absent());
  world.sources[0].set = SetMember{};
  const Values total = measure(world, 0, 0, record).total;
  CHECK(total[Measure::set_restarts] == Value::exact(3));
  CHECK(total[Measure::sets_given_back] == Value::exact(2));
}

TEST_CASE("The four ratios have the denominators of the table", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 4, kOneA, kTrain, kAnn);
  const World world = measured_world(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 8h));
  // 8 GPU-hours leased of held capacity: 5 kept, of which 4 by the job that completed, 1 lost, 1 overhead, 1
  // unused.
  book(record, kSubletA, kAnn, kTrain, 0h, 8h,
       {.useful = gpu_hours(5),
        .redone = gpu_hours(1),
        .overhead = gpu_hours(1),
        .unused = gpu_hours(1),
        .completed = gpu_hours(4)});
  book_held(record, 8);

  const Values total = measure(world, 0, 0, record).total;
  CHECK(total[Measure::kept] == Value::exact(5));
  CHECK(total[Measure::redone] == Value::exact(1));
  CHECK(total[Measure::overhead] == Value::exact(1));
  CHECK(total[Measure::unused] == Value::exact(1));
  CHECK(total[Measure::leased] == Value::exact(8));
  CHECK(total[Measure::useful] == Value::exact(4));
  CHECK(total[Measure::held] == Value::exact(48));
  CHECK(total[Measure::idle] == Value::exact(40));
  CHECK(total[Measure::goodput].value == Approx(5.0 / 7));
  CHECK(total[Measure::busy_share].value == Approx(6.0 / 8));
  CHECK(total[Measure::held_use].value == Approx(8.0 / 48));
  CHECK(total[Measure::useful_share].value == Approx(4.0 / 48));
  CHECK(total[Measure::cost].value == Approx(48 * 1.8));
  CHECK(total[Measure::cost_cud_1y].value == Approx(48 * 1.8));
  CHECK(total[Measure::cost_sublet].value == Approx(8 * 1.8));
  CHECK(total[Measure::cost_idle].value == Approx(40 * 1.8));
  CHECK(total[Measure::cost_per_useful].value == Approx(48 * 1.8 / 4));
  CHECK(total[Measure::commitment].value == Approx(2 * 8760 * 1.8));
}

TEST_CASE("Costs by class and by user, with the idle row, add up to the total", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 3, kOneA, kTune, kBob);
  const World world = measured_world(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 2h));
  add_outcome(record, completed(0h, 0h, 3h));
  book(record, kOnDemandA, kAnn, kTrain, 0h, 2h, {.useful = gpu_hours(2), .completed = gpu_hours(2)});
  book(record, kSubletA, kBob, kTune, 0h, 3h, {.useful = gpu_hours(3), .completed = gpu_hours(3)});
  book_held(record, 3);

  for (const GroupBy by : {GroupBy::job_class, GroupBy::user}) {
    const Measures measures = measure(world, 0, 0, record, {.by = by, .goal = std::nullopt});
    REQUIRE(measures.groups.size() == 3);
    REQUIRE(group_names(world, by).back() == "idle held");
    CHECK(measures.groups[0][Measure::cost].value == Approx(2 * 3.6));
    CHECK(measures.groups[1][Measure::cost].value == Approx(3 * 1.8));
    CHECK(measures.groups[1][Measure::cost_sublet].value == Approx(3 * 1.8));
    CHECK(measures.groups[2][Measure::cost].value == Approx(45 * 1.8));
    CHECK(measures.groups[2][Measure::jobs].is_absent());
    double sum = 0;
    for (const Values& row : measures.groups) sum += row[Measure::cost].value;
    CHECK(sum == Approx(measures.total[Measure::cost].value));
    CHECK(measures.groups[0][Measure::cost_per_useful].value == Approx(3.6));
  }
}

TEST_CASE("Hours of different GPU types are never added", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 1, kFourB, kTrain, kAnn);
  const World world = measured_world(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 2h));
  add_outcome(record, completed(0h, 0h, 1h));
  book(record, kOnDemandA, kAnn, kTrain, 0h, 2h, {.useful = gpu_hours(2), .completed = gpu_hours(2)});
  book(record, kSpotB, kAnn, kTrain, 0h, 1h, {.useful = gpu_hours(4), .completed = gpu_hours(4)});

  const Measures measures = measure(world, 0, 0, record);
  for (const Measure measure : {Measure::leased, Measure::useful, Measure::goodput, Measure::useful_share,
                                Measure::cost_per_useful}) {
    CHECK(measures.total[measure].is_absent());
  }
  CHECK(measures.total[Measure::cost].value == Approx(2 * 3.6 + 7.2));
  REQUIRE(measures.gpus.size() == 3);
  CHECK(measures.gpus[0][Measure::cost_per_useful].value == Approx(3.6));
  CHECK(measures.gpus[1][Measure::useful] == Value::exact(4));
  CHECK(measures.gpus[1][Measure::cost_per_useful].value == Approx(7.2 / 4));
  CHECK(measures.gpus[1][Measure::jobs] == Value::exact(1));
}

TEST_CASE("Phantom demand is what requests and leases that lost a race took", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  const World world = measured_world(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 2h));
  SECTION("none is none") {
    const Measures measures = measure(world, 0, 0, record);
    CHECK(measures.total[Measure::phantom_waiting] == Value::exact(0));
    CHECK(measures.total[Measure::phantom_leased] == Value::exact(0));
    CHECK(measures.total[Measure::cost_phantom] == Value::exact(0));
  }
  record.pools[0].phantom_waiting = gpu_hours(5);
  record.pools[0].phantom_leased = gpu_hours(2);
  record.phantom.add({kOnDemandA, kAnn, kTrain}, MachineCount{1}, at(0h), at(2h), MachineTime{});
  SECTION("of one GPU type") {
    const Measures measures = measure(world, 0, 0, record, {.by = GroupBy::pool, .goal = {}});
    CHECK(measures.total[Measure::phantom_waiting] == Value::exact(5));
    CHECK(measures.total[Measure::phantom_leased] == Value::exact(2));
    CHECK(measures.total[Measure::cost_phantom].value == Approx(7.2));
    CHECK(measures.groups[0][Measure::phantom_waiting] == Value::exact(5));
    CHECK(measures.groups[0][Measure::cost_phantom].value == Approx(7.2));
    CHECK(measures.groups[1][Measure::phantom_waiting] == Value::exact(0));
  }
  SECTION("of two, which are not added") {
    record.pools[1].phantom_waiting = gpu_hours(4);
    const Measures measures = measure(world, 0, 0, record, {.by = GroupBy::job_class, .goal = {}});
    CHECK(measures.total[Measure::phantom_waiting].is_absent());
    CHECK(measures.gpus[0][Measure::phantom_waiting] == Value::exact(5));
    CHECK(measures.gpus[1][Measure::phantom_waiting] == Value::exact(4));
    CHECK(measures.groups[0][Measure::phantom_waiting].is_absent());  // not known by class
    CHECK(measures.groups[0][Measure::cost_phantom].value == Approx(7.2));
  }
}

TEST_CASE("A job that could get any of several GPU types is counted as several", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kEither, kTrain, kAnn);
  const World world = measured_world(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 2h));
  book(record, kOnDemandA, kAnn, kTrain, 0h, 2h, {.useful = gpu_hours(2), .completed = gpu_hours(2)});
  const Measures measures = measure(world, 0, 0, record);
  CHECK(group_names(world, GroupBy::gpu).back() == "several");
  CHECK(measures.gpus.back()[Measure::jobs] == Value::exact(1));
  CHECK(measures.gpus.back()[Measure::useful] == Value::exact(0));  // the work stands where it was done
  CHECK(measures.total[Measure::cost_per_useful].value == Approx(3.6));
}

TEST_CASE("By pool, what a pool was paid and what its books say stand side by side", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  const World world = measured_world(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 2h));
  book(record, kOnDemandA, kAnn, kTrain, 0h, 2h, {.useful = gpu_hours(2), .completed = gpu_hours(2)});
  book_held(record, 0);
  PoolTotals& zone = record.pools[0];
  zone.capacity = gpu_hours(192);
  zone.leased = gpu_hours(50);
  zone.peak_waiting = 7;
  zone.censored_grants = 2;
  zone.shortage = gpu_hours(3);
  zone.classes[0] = {.requests = 3, .grants = 2, .refusals = 1, .leased_by_tenants = gpu_hours(10)};
  zone.classes[3] = {.requests = 4, .preemptions = 5, .leased_by_tenants = gpu_hours(20)};

  const Measures measures = measure(world, 0, 0, record, {.by = GroupBy::pool, .goal = std::nullopt});
  REQUIRE(measures.groups.size() == 3);
  const Values& row = measures.groups[0];
  CHECK(row[Measure::cost].value == Approx(7.2));
  CHECK(row[Measure::pool_capacity] == Value::exact(192));
  CHECK(row[Measure::pool_leased] == Value::exact(50));
  CHECK(row[Measure::pool_tenants] == Value::exact(30));
  CHECK(row[Measure::pool_requests] == Value::exact(7));
  CHECK(row[Measure::pool_refusals] == Value::exact(1));
  CHECK(row[Measure::pool_preemptions] == Value::exact(5));
  CHECK(row[Measure::pool_peak_waiting] == Value::exact(7));
  CHECK(row[Measure::pool_shortage] == Value::exact(3));
  CHECK(measures.groups[2][Measure::pool_shortage].is_absent());  // of zone pools alone
  CHECK(row[Measure::jobs].is_absent());
  CHECK(measures.groups[2][Measure::cost].value == Approx(48 * 1.8));
  CHECK(measures.total[Measure::censored_decisions] == Value::exact(2));
}

TEST_CASE("A pool without a capacity source has no capacity to show", "[measures]") {
  World world = measured_world({});
  world.pools[0].capacity.clear();
  const Measures measures =
      measure(world, 0, 0, empty_record(world), {.by = GroupBy::pool, .goal = std::nullopt});
  CHECK(measures.groups[0][Measure::pool_capacity].is_absent());
  CHECK_FALSE(measures.groups[1][Measure::pool_capacity].is_absent());
}

TEST_CASE("What a job used of held capacity is not rounded up: the holder has paid by the second",
          "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 1, kOneA, kTrain, kAnn);
  const World world = measured_world(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 1h));
  const UsageKey key{.line = kSubletA, .user = kAnn, .job_class = kTrain};
  record.usage.add(key, MachineCount{1}, kStart, at(1h),
                   MachineTime{3'600'000});  // as much again by rounding
  record.usage.add_split(key, {.useful = gpu_hours(1)});
  book_held(record, 1);
  CHECK(measure(world, 0, 0, record).total[Measure::cost_sublet].value == Approx(1.8));
}

TEST_CASE("Where jobs share machines, use of held capacity is counted and priced by GPU", "[measures]") {
  World world = measured_world({});
  world.price_lines[3] = price_line(MachineId{1}, PoolId{2}, PriceModel::cud_1y, Charge::sublet, 8.0 / 4);
  world.held[0].share = true;
  RunRecord record = empty_record(world);
  // Two jobs with one GPU each, four hours long, on one machine of four GPUs.
  book(record, kSubletA, kAnn, kTrain, 0h, 4h, {.useful = gpu_hours(4), .completed = gpu_hours(4)});
  book(record, kSubletA, kBob, kTrain, 0h, 4h, {.useful = gpu_hours(4), .completed = gpu_hours(4)});
  const Values total = measure(world, 0, 0, record).total;
  CHECK(total[Measure::cost_sublet].value == Approx(2 * 4 * 8.0 / 4));
  CHECK(total[Measure::leased] == Value::exact(8));
}

TEST_CASE("Capacity paid only to the last start has no idle part", "[measures]") {
  World world = measured_world({});
  world.hold_end = HoldEnd::last_start;
  RunRecord record = empty_record(world);
  book_held(record, 0);
  const Values total = measure(world, 0, 0, record).total;
  CHECK(total[Measure::cost_idle].is_absent());
  CHECK(total[Measure::held_use].is_absent());
  CHECK(total[Measure::cost].value == Approx(48 * 1.8));
}

TEST_CASE("List and contracted cost stand side by side", "[measures]") {
  World world = measured_world({});
  world.price_lines[0].steps[0].contracted = dollars(1.8);
  RunRecord record = empty_record(world);
  book(record, kOnDemandA, kAnn, kTrain, 0h, 2h, {.useful = gpu_hours(2), .completed = gpu_hours(2)});
  const Measures measures = measure(world, 0, 0, record);
  CHECK(measures.total[Measure::cost].value == Approx(3.6));
  CHECK(measures.total[Measure::cost_list].value == Approx(7.2));
  CHECK(measures.lines[0].machine_hours == Approx(2));
  CHECK(measures.lines[0].contracted_usd == Approx(3.6));
}

TEST_CASE("A record that does not belong to the world is our mistake, and is reported", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 1, kOneA, kTrain, kAnn);
  const World world = measured_world(jobs);
  CHECK_THROWS_AS(measure(world, 0, 0, empty_record(world)), InvariantError);
}

TEST_CASE("Names and units of measures are distinct and in order", "[measures]") {
  for (const MeasureInfo& entry : measure_table()) {
    CHECK_FALSE(entry.name.empty());
    CHECK_FALSE(entry.meaning.empty());
    CHECK(&info(entry.measure) == &entry);
    for (const MeasureInfo& other : measure_table()) {
      if (&other != &entry) CHECK(other.name != entry.name);
    }
  }
}

TEST_CASE("Useful hours stand under the GPU type of the lease they were worked on", "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 3, kOneA, kTrain, kAnn);
  const World world = measured_world(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 3h));
  // Two hours on one type, taken back after a checkpoint; the last on another.
  book(record, kOnDemandA, kAnn, kTrain, 0h, 2h, {.useful = gpu_hours(2), .completed = gpu_hours(2)});
  book(record, kSpotB, kAnn, kTrain, 2h, 3h, {.useful = gpu_hours(1), .completed = gpu_hours(1)});
  const Measures measures = measure(world, 0, 0, record);
  CHECK(measures.gpus[0][Measure::useful] == Value::exact(2));
  CHECK(measures.gpus[1][Measure::useful] == Value::exact(1));
  CHECK(measures.gpus[2][Measure::useful] == Value::exact(0));
}

TEST_CASE("What an hour of work costs counts work as on the reference, not time", "[measures][speed]") {
  JobColumns jobs;
  add_job(jobs, 0, 8, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 2, kOneA, kTune, kAnn);
  World world = measured_world(jobs);
  SpeedProfile speeds;
  speeds.reference = "A";
  speeds.gpus = {{.gpu = "A", .speed = 1}, {.gpu = "B", .speed = 2}};
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 4h));
  add_outcome(record, never_started(FinalState::refused, 0h, 1h));
  book(record, kSpotB, kAnn, kTrain, 0h, 4h, {.useful = gpu_hours(4), .completed = gpu_hours(4)});

  SECTION("8 hours of work for 4 hours of a machine") {
    world.speeds = {{}, speeds};
    const Measures measures = measure(world, 0, 0, record, {.by = GroupBy::job_class, .goal = {}});
    CHECK(measures.total[Measure::cost_per_reference].value == Approx(4 * 7.2 / 8));
    CHECK(measures.groups[0][Measure::cost_per_reference].value == Approx(4 * 7.2 / 8));
    CHECK(measures.groups[1][Measure::cost_per_reference].is_absent());
    CHECK(measures.groups[2][Measure::cost_per_reference].is_absent());
    for (const Values& gpu : measures.gpus) CHECK(gpu[Measure::cost_per_reference].is_absent());
  }
  SECTION("nothing is said without speeds") {
    CHECK(measure(world, 0, 0, record).total[Measure::cost_per_reference].is_absent());
  }
  SECTION("nor where work was measured on different types") {
    world.speeds = {{}, speeds};
    world.shapes[0].gpu = "B";
    CHECK_FALSE(measure(world, 0, 0, record).total[Measure::cost_per_reference].is_absent());
    JobColumns mixed;
    add_job(mixed, 0, 8, kOneA, kTrain, kAnn);
    add_job(mixed, 0, 2, kFourB, kTune, kAnn);
    World two = measured_world(mixed);
    two.speeds = {{}, speeds};
    CHECK(measure(two, 0, 0, record).total[Measure::cost_per_reference].is_absent());
  }
}
