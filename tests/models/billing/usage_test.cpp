#include <map>
#include <random>

#include <catch2/catch.hpp>

#include "models/billing/price_line.h"
#include "models/billing/usage.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr UsageKey kKey{.line = PriceLineId{0}, .user = UserId{0}, .job_class = ClassId{0}};
constexpr std::int64_t kHourMs = 3'600'000;

SimTime at(SimDuration since_start) { return kStart + since_start; }

UsageLedger small_ledger() { return UsageLedger{3, 4, 2}; }

struct Span {
  std::int64_t machines, from, to, rounding;
};

/// The same, hour by hour and in the plainest way.
std::map<std::int64_t, UsageHour> naive(const std::vector<Span>& spans) {
  std::map<std::int64_t, UsageHour> hours;
  for (const Span& span : spans) {
    if (span.to < 0) continue;
    for (std::int64_t hour = 0; hour * kHourMs <= span.to; ++hour) {
      const auto from = std::max({span.from, hour * kHourMs, std::int64_t{0}});
      const auto to = std::min(span.to, (hour + 1) * kHourMs);
      if (to > from) hours[hour].used += MachineTime{span.machines * (to - from)};
      if (to > from) hours[hour].billed += MachineTime{span.machines * (to - from)};
    }
    if (span.rounding > 0) hours[span.to / kHourMs].billed += MachineTime{span.rounding};
  }
  return hours;
}

}  // namespace

TEST_CASE("Use within one hour is one cell", "[usage]") {
  UsageLedger ledger = small_ledger();
  ledger.add(kKey, MachineCount{2}, at(90min), at(100min), MachineTime{7});
  const auto hours = ledger.hours(kKey);
  REQUIRE(hours.size() == 1);
  CHECK(hours[0].hour == 1);
  CHECK(hours[0].used == MachineTime{2 * 600'000});
  CHECK(hours[0].billed == MachineTime{2 * 600'000 + 7});
}

TEST_CASE("A lease over days fills every hour and books its rounding in the last", "[usage]") {
  UsageLedger ledger = small_ledger();
  ledger.add(kKey, MachineCount{3}, at(30min), at(50h + 15min), MachineTime{100});
  const auto hours = ledger.hours(kKey);
  REQUIRE(hours.size() == 51);
  CHECK(hours.front().used == MachineTime{3 * kHourMs / 2});
  CHECK(hours[25].used == MachineTime{3 * kHourMs});
  CHECK(hours[25].billed == hours[25].used);
  CHECK(hours.back().hour == 50);
  CHECK(hours.back().used == MachineTime{3 * kHourMs / 4});
  CHECK(hours.back().billed - hours.back().used == MachineTime{100});
}

TEST_CASE("Nothing before the start of the window counts", "[usage]") {
  UsageLedger ledger = small_ledger();
  ledger.add(kKey, MachineCount{1}, at(-3h), at(-1h), MachineTime{500});
  CHECK(ledger.keys().empty());
  ledger.add(kKey, MachineCount{1}, at(-3h), at(1h), MachineTime{500});
  const auto hours = ledger.hours(kKey);
  REQUIRE(hours.size() == 2);
  CHECK(hours[0].used == MachineTime{kHourMs});
  CHECK(hours[1].used == MachineTime{});
  CHECK(hours[1].billed == MachineTime{500});
}

TEST_CASE("Keys do not mix, come in order, and an unknown one is our mistake", "[usage]") {
  UsageLedger ledger = small_ledger();
  const UsageKey second{.line = PriceLineId{2}, .user = UserId{3}, .job_class = ClassId{1}};
  const UsageKey first{.line = PriceLineId{1}, .user = UserId{3}, .job_class = ClassId{0}};
  ledger.add(second, MachineCount{1}, at(0h), at(1h), MachineTime{});
  ledger.add(first, MachineCount{5}, at(0h), at(1h), MachineTime{});
  CHECK(ledger.keys() == std::vector{first, second});
  CHECK(ledger.hours(second)[0].used == MachineTime{kHourMs});
  CHECK(ledger.hours(kKey).empty());
  const UsageKey unknown{.line = PriceLineId{3}, .user = UserId{0}, .job_class = ClassId{0}};
  CHECK_THROWS_AS(ledger.add(unknown, MachineCount{1}, at(0h), at(1h), MachineTime{}), InvariantError);
  const UsageKey no_user{.line = PriceLineId{0}, .user = UserId{4}, .job_class = ClassId{0}};
  CHECK_THROWS_AS(ledger.hours(no_user), InvariantError);
}

TEST_CASE("What comes and goes within an hour may add up to more than 64 bits on the way", "[usage]") {
  UsageLedger ledger = small_ledger();
  constexpr std::int64_t kMany = std::int64_t{1} << 40;  // times an hour: 2^61.8
  for (int i = 0; i < 10; ++i) ledger.add(kKey, MachineCount{kMany}, at(1h), at(1h + 1ms), MachineTime{});
  const auto hours = ledger.hours(kKey);
  REQUIRE(hours.size() == 1);
  CHECK(hours[0].used == MachineTime{10 * kMany});
}

TEST_CASE("A ledger takes tables of any size: memory grows with what is booked", "[usage]") {
  constexpr std::size_t kUsers = std::size_t{1} << 31;
  UsageLedger ledger{kUsers, kUsers, 1 << 16};
  const UsageKey last{
      .line = PriceLineId{kUsers - 1}, .user = UserId{kUsers - 1}, .job_class = ClassId{65'535}};
  ledger.add(last, MachineCount{1}, at(24h * 365 * 30), at(24h * 365 * 30 + 1h), MachineTime{});
  CHECK(ledger.keys() == std::vector{last});
  CHECK(ledger.hours(last)[0].hour == 24 * 365 * 30);
}

TEST_CASE("Splits of GPU-time add up by key", "[usage]") {
  UsageLedger ledger = small_ledger();
  const TimeSplit split{.useful = GpuTime{1},
                        .redone = GpuTime{2},
                        .overhead = GpuTime{3},
                        .unused = GpuTime{4},
                        .idle = GpuTime{5}};
  ledger.add_split(kKey, split);
  ledger.add_split(kKey, split);
  CHECK(ledger.split(kKey).useful == GpuTime{2});
  CHECK(ledger.split(kKey).total() == GpuTime{30});
}

TEST_CASE("Random leases give the same hours as a naive sum, in whatever order", "[usage]") {
  std::mt19937_64 random{20260730};
  const auto draw = [&](std::int64_t below) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<Span> spans;
    for (int i = 0; i < 30; ++i) {
      const std::int64_t grid =
          draw(2) == 0 ? 1 : kHourMs / 2;  // half of the spans begin and end on half hours
      const std::int64_t from = (draw(100 * kHourMs) - 20 * kHourMs) / grid * grid;
      spans.push_back({1 + draw(9), from, from + draw(60 * kHourMs) / grid * grid, draw(60'000)});
    }
    UsageLedger forward = small_ledger();
    UsageLedger backward = small_ledger();
    const auto add = [](UsageLedger& ledger, const Span& span) {
      ledger.add(kKey, MachineCount{span.machines}, SimTime{SimDuration{span.from}},
                 SimTime{SimDuration{span.to}}, MachineTime{span.rounding});
    };
    for (const Span& span : spans) add(forward, span);
    for (auto span = spans.rbegin(); span != spans.rend(); ++span) add(backward, *span);
    const auto expected = naive(spans);
    const auto hours = forward.hours(kKey);
    REQUIRE(hours.size() == expected.size());
    REQUIRE(backward.hours(kKey).size() == hours.size());
    for (std::size_t i = 0; i < hours.size(); ++i) {
      const UsageHour& hour = expected.at(hours[i].hour);
      REQUIRE(hours[i].used == hour.used);
      REQUIRE(hours[i].billed == hour.billed);
      REQUIRE(backward.hours(kKey)[i].used == hour.used);
    }
  }
}

TEST_CASE("Billed minus used is exactly what the billing rule rounds", "[usage]") {
  const BillingRule rule;  // per second, at least a minute
  CHECK(rule.billed(0ms) == 0ms);
  CHECK(rule.billed(1ms) == 60s);
  CHECK(rule.billed(60'001ms) == 61s);
  UsageLedger ledger = small_ledger();
  MachineTime rounding{};
  for (std::int64_t ms = 1; ms < 200'000; ms += 7'777) {
    const SimDuration length{ms};
    const MachineTime extra = MachineCount{2} * (rule.billed(length) - length);
    ledger.add(kKey, MachineCount{2}, at(SimDuration{ms * 100}), at(SimDuration{ms * 100} + length), extra);
    rounding += extra;
  }
  MachineTime difference{};
  for (const UsageHour& hour : ledger.hours(kKey)) difference += hour.billed - hour.used;
  CHECK(difference == rounding);
}
