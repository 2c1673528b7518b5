// Vertex AI's management fee on the bill of a record written by hand.

#include <catch2/catch.hpp>

#include "models/measures/measures.h"
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

// Two held machines for the whole day, of which jobs lease `sublet` GPU-hours.
void book_held(RunRecord& record, double sublet) {
  const UsageKey key{.line = kHeldA};
  record.usage.add(key, MachineCount{2}, kStart, at(24h), MachineTime{});
  record.usage.add_split(key, {.idle = gpu_hours(48 - sublet)});
}

}  // namespace

TEST_CASE("A management fee is paid for the hours of its machines, and of what is held only if it is held",
          "[measures]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 4, kOneA, kTune, kBob);
  World world = measured_world(jobs);
  const PriceLineId direct{4};  // on what Ann leases, $0.54 an hour
  const PriceLineId of_use{5};  // on what Bob uses of the held machines, $0.27: they are a reservation
  world.price_lines.push_back(
      price_line(MachineId{0}, PoolId{0}, PriceModel::management_fee, Charge::direct, 0.54));
  world.price_lines.push_back(
      price_line(MachineId{0}, PoolId{2}, PriceModel::management_fee, Charge::direct, 0.27));
  world.price_lines[index(kOnDemandA)].fee = direct;
  world.price_lines[index(kSubletA)].fee = of_use;
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 2h));
  add_outcome(record, completed(0h, 0h, 4h));
  book(record, kOnDemandA, kAnn, kTrain, 0h, 2h, {.useful = gpu_hours(2), .completed = gpu_hours(2)});
  book(record, kSubletA, kBob, kTune, 0h, 4h, {.useful = gpu_hours(4), .completed = gpu_hours(4)});
  book_held(record, 4);
  const Measures by_user = measure(world, 0, 0, record, {.by = GroupBy::user, .goal = std::nullopt});
  CHECK(by_user.total[Measure::cost_management_fee].value == Approx(2 * 0.54 + 4 * 0.27));
  CHECK(by_user.total[Measure::cost].value == Approx(2 * 3.6 + 48 * 1.8 + 2 * 0.54 + 4 * 0.27));
  CHECK(by_user.total[Measure::cost_direct].value == Approx(2 * 3.6 + 2 * 0.54 + 4 * 0.27));
  CHECK(by_user.total[Measure::cost_idle].value == Approx(44 * 1.8));
  CHECK(by_user.total[Measure::leased] == Value::exact(6));
  CHECK(by_user.groups[0][Measure::cost].value == Approx(2 * 3.6 + 2 * 0.54));
  CHECK(by_user.groups[1][Measure::cost].value == Approx(4 * 1.8 + 4 * 0.27));
  CHECK(by_user.lines[index(direct)].machine_hours == 2);
  CHECK(by_user.lines[index(of_use)].contracted_usd == Approx(4 * 0.27));

  // A persistent resource: $0.27 for each hour that a machine is there, of which Bob's part is shown as his.
  world.price_lines[index(of_use)].charge = Charge::sublet;
  world.price_lines.push_back(
      price_line(MachineId{0}, PoolId{2}, PriceModel::management_fee, Charge::held, 0.27));
  world.price_lines[index(kHeldA)].fee = PriceLineId{6};
  record.usage = UsageLedger{world.price_lines.size(), world.users.size(), world.classes.size()};
  book(record, kSubletA, kBob, kTune, 0h, 4h, {.useful = gpu_hours(4), .completed = gpu_hours(4)});
  book_held(record, 4);
  const Measures held = measure(world, 0, 0, record, {.by = GroupBy::user, .goal = std::nullopt});
  CHECK(held.total[Measure::cost].value == Approx(48 * (1.8 + 0.27)));
  CHECK(held.total[Measure::cost_management_fee].value == Approx(48 * 0.27));
  CHECK(held.total[Measure::cost_idle].value == Approx(44 * (1.8 + 0.27)));
  CHECK(held.groups[1][Measure::cost].value == Approx(4 * (1.8 + 0.27)));
}
