// Who pays for what of a run: records written by hand, numbers that can be checked on paper. The world is
// that of measured_world.h.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/measures/measures.h"
#include "models/showback/charges.h"
#include "models/showback/split.h"
#include "tests/support/made_up/measured_world.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

void use(RunRecord& record, PriceLineId line, std::int64_t machines, SimDuration from, SimDuration to,
         UserId user = kAnn, ClassId job_class = kTrain, MachineTime rounding = {}) {
  record.usage.add({.line = line, .user = user, .job_class = job_class}, MachineCount{machines}, at(from),
                   at(to), rounding);
}

World world_at_list_price(JobColumns jobs = {}) {
  World world = measured_world(std::move(jobs));
  for (const PriceLineId line : {kHeldA, kSubletA}) {
    world.price_lines[index(line)].model = PriceModel::on_demand;
    world.price_lines[index(line)].steps.front().list = dollars(3.6);
    world.price_lines[index(line)].steps.front().contracted = dollars(3.6);
  }
  return world;
}

std::vector<ChargeRow> charges(const World& world, const RunRecord& record,
                               const ShowbackOptions& options = {}, const BillTerms& terms = {}) {
  MeasureOptions measured;
  measured.terms = &terms;
  const Bill bill = measure(world, 0, 0, record, measured).bill;
  return charges_of(world, 0, 0, record, terms, bill, options);
}

template <typename Choose>
double usd(const std::vector<ChargeRow>& rows, const Choose& choose) {
  Money sum;
  for (const ChargeRow& row : rows)
    if (choose(row.subject)) sum += effective_cost(row);
  return sum.to_usd();
}

double usd(const std::vector<ChargeRow>& rows, ChargeUse use, std::optional<UserId> user = {}) {
  return usd(rows, [&](const ChargeSubject& subject) { return subject.use == use && subject.user == user; });
}

double hours_of(const std::vector<ChargeRow>& rows, ChargeUse use, std::optional<UserId> user = {}) {
  double hours = 0;
  for (const ChargeRow& row : rows)
    if (row.subject.use == use && row.subject.user == user)
      hours += static_cast<double>(row.billed.count()) / 3.6e6;
  return hours;
}

std::vector<MachineTime> times(std::vector<std::int64_t> counts) {
  std::vector<MachineTime> result;
  for (const std::int64_t count : counts) result.emplace_back(count);
  return result;
}

}  // namespace

TEST_CASE("A time is split by largest remainder, and adds up", "[showback]") {
  CHECK(split(MachineTime{10}, times({1, 1, 1})) == times({4, 3, 3}));
  CHECK(split(MachineTime{10}, times({5, 0, 6})) == times({5, 0, 5}));  // 4.55 and 5.45
  CHECK(split(MachineTime{7}, times({7})) == times({7}));
  CHECK(split(MachineTime{0}, times({0, 0})) == times({0, 0}));
  CHECK(split(MachineTime{0}, {}).empty());
  const std::int64_t much = 4'000'000'000'000'000'000;
  CHECK(split(MachineTime{much}, times({much, much})) == times({much / 2, much / 2}));
}

TEST_CASE("Amounts in nano-dollars add up to their sum, rounded once", "[showback]") {
  const auto third = [](std::int64_t thirds) {
    return MachineHourPrice{1} * MachineTime{thirds * 1'200'000};
  };
  const std::vector<Money> amounts{third(1), third(1), third(2), third(4)};  // 8/3: 3 nano-dollars
  const std::vector<Money> whole = in_nano_dollars(amounts);
  Money sum;
  for (const Money amount : whole) sum += amount;
  CHECK(sum == kNanoDollar + kNanoDollar + kNanoDollar);
  CHECK(whole[2] == kNanoDollar);
  CHECK(whole[3] == kNanoDollar);
  CHECK(whole[0] == kNanoDollar);
  CHECK(whole[1] == Money{});
}

TEST_CASE("What is held and idle stays with its owner, or goes to those who used it that day", "[showback]") {
  const World world = world_at_list_price();
  RunRecord record = empty_record(world);
  use(record, kHeldA, 2, 0h, 24h);
  use(record, kSubletA, 1, 3h, 9h, kAnn);         // 6 machine-hours
  use(record, kSubletA, 1, 6h, 9h, kBob, kTune);  // 3
  const auto owner = charges(world, record);
  CHECK(usd(owner, ChargeUse::used, kAnn) == Approx(6 * 3.6));
  CHECK(usd(owner, ChargeUse::used, kBob) == Approx(3 * 3.6));
  CHECK(usd(owner, ChargeUse::idle) == Approx(39 * 3.6));
  const auto shared = charges(world, record, {.idle = IdleRule::by_use});
  CHECK(usd(shared, ChargeUse::used, kAnn) == Approx(6 * 3.6));
  CHECK(usd(shared, ChargeUse::idle) == 0);
  CHECK(usd(shared, ChargeUse::idle, kAnn) == Approx(26 * 3.6));
  CHECK(usd(shared, ChargeUse::idle, kBob) == Approx(13 * 3.6));
  CHECK(std::ranges::all_of(shared, [](const ChargeRow& row) {
    return row.subject.job_class == (row.subject.user == kBob ? kTune : kTrain);
  }));
}

TEST_CASE("In a period without use, idle cost goes by the use of the whole run; without any, to its owner",
          "[showback]") {
  const World world = world_at_list_price();
  RunRecord record = empty_record(world);
  use(record, kHeldA, 1, 0h, 24h);
  const ShowbackOptions by_use{.period = PeriodLength::hour, .idle = IdleRule::by_use};
  CHECK(usd(charges(world, record, by_use), ChargeUse::idle) == Approx(24 * 3.6));
  use(record, kSubletA, 1, 0h, 1h, kAnn);
  use(record, kSubletA, 1, 1h, 1h + 30min, kBob);
  const auto rows = charges(world, record, by_use);
  CHECK(usd(rows, ChargeUse::idle) == 0);
  // Bob alone bears the idle half of hour 1, both bear the hours 2 to 23 as 2 to 1.
  CHECK(usd(rows, ChargeUse::idle, kBob) == Approx((0.5 + 22.0 / 3) * 3.6));
  CHECK(usd(rows, ChargeUse::idle, kAnn) == Approx(22 * 2.0 / 3 * 3.6));
}

TEST_CASE("By share, whoever submitted a job bears the same", "[showback]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 1, kOneA, kTune, kBob);
  const World world = world_at_list_price(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 2h));
  add_outcome(record, completed(0h, 0h, 2h));
  add_outcome(record, never_started(FinalState::refused, 0h, 0h));
  use(record, kHeldA, 2, 0h, 24h);
  use(record, kSubletA, 2, 0h, 2h, kAnn);
  const auto rows = charges(world, record, {.idle = IdleRule::by_share});
  CHECK(usd(rows, ChargeUse::idle, kAnn) == Approx(22 * 3.6));
  CHECK(usd(rows, ChargeUse::idle, kBob) == Approx(22 * 3.6));
}

TEST_CASE("A commitment of its own is paid by fees, and used and idle time carry its cost", "[showback]") {
  const World world = measured_world({});
  RunRecord record = empty_record(world);
  use(record, kHeldA, 2, 0h, 24h);
  use(record, kSubletA, 1, 0h, 6h, kAnn);
  const auto rows = charges(world, record);
  REQUIRE(rows.size() == 3);
  CHECK(usd(rows, ChargeUse::used, kAnn) == Approx(6 * 1.8));
  CHECK(usd(rows, ChargeUse::idle) == Approx(42 * 1.8));
  for (const ChargeRow& row : rows) {
    const bool is_fee = row.subject.use == ChargeUse::purchase;
    CHECK(is_committed(world, row.subject) == !is_fee);
    CHECK(effective_cost(row) == (is_fee ? Money{} : row.contracted_cost()));
    CHECK(billed_cost(world, row).to_usd() == Approx(is_fee ? 48 * 1.8 : 0));
  }
}

TEST_CASE("A commitment that exists covers the users of a line alike; what it leaves is idle", "[showback]") {
  const World world = world_at_list_price();
  RunRecord record = empty_record(world);
  use(record, kOnDemandA, 2, 1h, 2h, kAnn);
  use(record, kOnDemandA, 1, 1h, 2h, kBob, kTune);
  use(record, kOnDemandA, 1, 23h, 25h, kAnn);  // an hour after the window
  BillTerms terms;
  Commitment old;
  old.name = "old";
  old.machines = MachineCount{1};
  old.start = kStart - 1h;
  old.end = kStart + 48h;
  old.list = dollars(3);
  old.contracted = dollars(1);
  terms.commitments = {old};
  terms.coverage = {{.commitments = {0}, .lines = {kHeldA, kOnDemandA}}};
  const auto rows = charges(world, record, {.idle = IdleRule::by_use}, terms);
  const auto is_covered = [](const ChargeSubject& subject) {
    return subject.commitment && subject.use == ChargeUse::used;
  };
  const auto of = [&](UserId user, bool covered) {
    return usd(rows, [&](const ChargeSubject& subject) {
      return subject.use == ChargeUse::used && subject.user == user && is_covered(subject) == covered;
    });
  };
  CHECK(of(kAnn, true) == Approx(2.0 / 3 + 1));  // of three machines one is covered; the hour in the window
  CHECK(of(kBob, true) == Approx(1.0 / 3));
  CHECK(of(kAnn, false) == Approx(2 * 2.0 / 3 * 3.6));
  CHECK(of(kBob, false) == Approx(2.0 / 3 * 3.6));
  CHECK(hours_of(rows, ChargeUse::purchase) == Approx(24));
  // 22 hours nothing took, borne as used on that day: ann 5/3, bob 1/3.
  CHECK(usd(rows, ChargeUse::idle, kAnn) == Approx(22 * 5.0 / 6));
  CHECK(usd(rows, ChargeUse::idle, kBob) == Approx(22 / 6.0));
}

TEST_CASE("A lost race and the rounding of a bill are reported", "[showback]") {
  const World world = world_at_list_price();
  RunRecord record = empty_record(world);
  use(record, kOnDemandA, 1, 0h, 2h, kAnn);
  use(record, kOnDemandA, 1, 1h, 1h + 30s, kAnn, kTrain, MachineTime{30'000});  // billed a minute
  record.phantom.add({.line = kOnDemandA, .user = kAnn, .job_class = kTrain}, MachineCount{1}, at(1h),
                     at(1h + 30s), MachineTime{30'000});
  const auto rows = charges(world, record);
  REQUIRE(rows.size() == 2);
  CHECK(usd(rows, ChargeUse::used, kAnn) == Approx(2 * 3.6));
  CHECK(usd(rows, ChargeUse::lost_race, kAnn) == Approx(0.06));
  CHECK(rows[1].billed == MachineTime{60'000});
  CHECK(rows[1].used == MachineTime{30'000});
}

TEST_CASE("Jobs that go on when nothing is paid any more share what is paid", "[showback]") {
  World world = world_at_list_price();
  world.hold_end = HoldEnd::last_start;
  RunRecord record = empty_record(world);
  use(record, kHeldA, 2, 0h, 1h + 30min);
  use(record, kSubletA, 1, 0h, 4h, kAnn);
  use(record, kSubletA, 1, 1h, 4h, kBob);
  const auto rows = charges(world, record);
  CHECK(usd(rows, ChargeUse::idle) == Approx(3.6));              // hour 0, of one machine
  CHECK(usd(rows, ChargeUse::used, kAnn) == Approx(1.5 * 3.6));  // hour 0, and half of what hour 1 paid
  CHECK(usd(rows, ChargeUse::used, kBob) == Approx(0.5 * 3.6));
}

TEST_CASE("Where jobs share a machine, they bear it by GPUs", "[showback]") {
  World world = world_at_list_price();
  HeldPool& held = world.held.front();
  held.share = true;
  held.machine = MachineId{1};
  held.machines = MachineCount{1};
  held.gpus = GpuCount{4};
  RunRecord record = empty_record(world);
  use(record, kHeldA, 1, 0h, 2h);
  use(record, kSubletA, 3, 0h, 1h, kAnn);  // GPUs
  use(record, kSubletA, 1, 0h, 2h, kBob);
  const auto rows = charges(world, record);
  CHECK(hours_of(rows, ChargeUse::used, kAnn) == Approx(0.75));
  CHECK(hours_of(rows, ChargeUse::used, kBob) == Approx(0.5));
  CHECK(hours_of(rows, ChargeUse::idle) == Approx(0.75));
}

TEST_CASE("A price that changes within a period is a row of its own", "[showback]") {
  World world = world_at_list_price();
  PriceLine& line = world.price_lines[index(kOnDemandA)];
  line.steps.push_back({.from = at(12h), .list = dollars(3.6), .contracted = dollars(1.2)});
  RunRecord record = empty_record(world);
  use(record, kOnDemandA, 1, 11h, 14h, kAnn);
  const auto rows = charges(world, record);
  REQUIRE(rows.size() == 2);
  CHECK(usd(rows, ChargeUse::used, kAnn) == Approx(3.6 + 2 * 1.2));
}

TEST_CASE("Other costs fall on who brings them about; fees and hours on nobody", "[showback]") {
  JobColumns jobs;
  add_job(jobs, 0, 2, kOneA, kTrain, kAnn);
  add_job(jobs, 0, 1, kFourB, kTune, kBob);
  add_job(jobs, 0, 1, kOneA, kTune, kBob);
  const World world = world_at_list_price(jobs);
  RunRecord record = empty_record(world);
  add_outcome(record, completed(0h, 0h, 2h));
  add_outcome(record, completed(0h, 1h, 2h));
  add_outcome(record, never_started(FinalState::refused, 0h, 0h));
  use(record, kOnDemandA, 1, 0h, 2h, kAnn);     // 2 GPU-hours
  use(record, kSpotB, 1, 1h, 2h, kBob, kTune);  // 4
  BillTerms terms;
  const auto other = [](CostUnit unit, double usd) {
    OtherCost cost;
    cost.unit = unit;
    cost.price = dollars(usd);
    return cost;
  };
  terms.other = {other(CostUnit::hour, 0.5), other(CostUnit::once, 100), other(CostUnit::job, 3),
                 other(CostUnit::gpu_hour, 0.1)};
  const auto rows = charges(world, record, {.idle = IdleRule::by_use}, terms);
  const auto cost = [&](std::size_t which, std::optional<UserId> user) {
    return usd(rows,
               [&](const ChargeSubject& subject) { return subject.other == which && subject.user == user; });
  };
  CHECK(cost(0, {}) == Approx(12));
  CHECK(cost(1, {}) == Approx(100));
  CHECK(cost(2, kAnn) == Approx(3));
  CHECK(cost(2, kBob) == Approx(3));
  CHECK(cost(3, kAnn) == Approx(0.2));
  CHECK(cost(3, kBob) == Approx(0.4));
}

TEST_CASE("Days count from the start, months are those of the local calendar", "[showback]") {
  World world;
  world.start_date = std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} - 1h;  // Berlin, 30 November
  world.utc_offsets = {{.at = kStart - 24h, .offset = 1h}};
  const ChargePeriods days{world, PeriodLength::day};
  CHECK(days.of(23) == HourSpan{0, 24});
  CHECK(days.of(24) == HourSpan{24, 48});
  CHECK(ChargePeriods{world, PeriodLength::hour}.of(30) == HourSpan{30, 31});
  const ChargePeriods months{world, PeriodLength::month};
  CHECK(months.of(23) == HourSpan{-29 * 24, 24});
  CHECK(months.of(24) == HourSpan{24, 32 * 24});
}
