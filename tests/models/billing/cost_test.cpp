#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include "models/billing/cost.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr MachineHourPrice kH100{88'490'000'000};  // $88.49 an hour

UsageKey key(std::uint32_t line) {
  return {.line = PriceLineId{line}, .user = UserId{0}, .job_class = ClassId{0}};
}

PriceLine line_at(MachineHourPrice price, Charge charge = Charge::direct) {
  PriceLine line;
  line.charge = charge;
  line.steps = {{.from = kStart - 24h, .list = price, .contracted = price}};
  return line;
}

}  // namespace

TEST_CASE("Money is exact to the nano-dollar and rounded only as text", "[cost]") {
  const Money cent_an_hour = MachineHourPrice{10'000'000} * MachineTime{3'600'000};
  CHECK(cent_an_hour.to_text() == "0.01");
  CHECK(cent_an_hour.to_usd() == 0.01);
  const Money one_ms = MachineHourPrice{88'490'000'000} * MachineTime{1};  // $0.0000245805...
  CHECK(one_ms.to_text() == "0.00");
  CHECK(one_ms.to_text(9) == "0.000024581");
  Money sum;
  for (int i = 0; i < 3'600'000; ++i) sum += one_ms;
  CHECK(sum.to_text() == "88.49");
  CHECK(sum == kH100 * MachineTime{3'600'000});
  CHECK((Money{} - sum).to_text() == "-88.49");
  CHECK((Money{} - one_ms).to_text() == "0.00");
  CHECK((MachineHourPrice{5'000'000} * MachineTime{3'600'000}).to_text() == "0.01");  // half a cent, up
  CHECK((MachineHourPrice{1'500'000'000} * MachineTime{3'600'000}).to_text(0) == "2");
  CHECK(sum > cent_an_hour);
}

TEST_CASE("Money holds a fleet of millions of machines for decades", "[cost]") {
  const Money huge = MachineHourPrice{1'000'000'000'000'000} * MachineTime{9'000'000'000'000'000'000};
  CHECK(huge.to_text() == "2500000000000000000.00");
  CHECK(huge.to_usd() == Approx(2.5e18));
}

TEST_CASE("An hour and a half on two H100 machines costs three machine-hours", "[cost]") {
  UsageLedger ledger{1, 1, 1};
  ledger.add(key(0), MachineCount{2}, kStart + 30min, kStart + 2h, MachineTime{});
  const PriceLine line = line_at(kH100);
  const Cost cost = cost_of(line, ledger.hours(key(0)));
  CHECK(cost.list.to_text(9) == "265.470000000");
  CHECK(cost.contracted == cost.list);
}

TEST_CASE("A minute is charged for a second", "[cost]") {
  UsageLedger ledger{1, 1, 1};
  const BillingRule rule;
  ledger.add(key(0), MachineCount{1}, kStart, kStart + 1s, MachineCount{1} * (rule.billed(1s) - 1s));
  const PriceLine line = line_at(MachineHourPrice{36'000'000'000});  // a cent a second
  const Cost cost = cost_of(line, ledger.hours(key(0)));
  CHECK(cost.contracted.to_text() == "0.60");
}

TEST_CASE("A price that changes on the hour cuts the usage there, list and contracted apart", "[cost]") {
  UsageLedger ledger{1, 1, 1};
  ledger.add(key(0), MachineCount{1}, kStart + 23h + 30min, kStart + 25h, MachineTime{});
  PriceLine line;
  line.steps = {{.from = kStart - 1h,
                 .list = MachineHourPrice{10'000'000'000},
                 .contracted = MachineHourPrice{10'000'000'000}},
                {.from = kStart + 24h,
                 .list = MachineHourPrice{10'000'000'000},
                 .contracted = MachineHourPrice{8'500'000'000}}};
  const Cost cost = cost_of(line, ledger.hours(key(0)));
  CHECK(cost.list.to_text(9) == "15.000000000");
  CHECK(cost.contracted.to_text(9) == "13.500000000");
}

TEST_CASE("A price step inside an hour, or a line that begins too late, is our mistake", "[cost]") {
  PriceLine line = line_at(kH100);
  line.steps.push_back({.from = kStart + 90min, .list = kH100, .contracted = kH100});
  CHECK_THROWS_AS(price_at(line, 1), InvariantError);
  CHECK(price_at(line, 0).from == kStart - 24h);
  CHECK(price_at(line, 2).from == kStart + 90min);
  line.steps = {{.from = kStart + 1h, .list = kH100, .contracted = kH100}};
  CHECK_THROWS_AS(price_at(line, 0), InvariantError);
}

TEST_CASE("A commitment binds for its whole term, a booking for its length", "[cost]") {
  PriceLine line = line_at(MachineHourPrice{61'383'700'000});
  CHECK(obligation(line, MachineCount{4}, 0h) == Cost{});
  CHECK(obligation(line, MachineCount{4}, 24h).contracted.to_text(9) ==
        "5892.835200000");  // 61.3837 x 4 x 24
  line.model = PriceModel::cud_1y;
  const Cost year = obligation(line, MachineCount{4}, 24h);
  CHECK(year.contracted.to_text(9) == "2150884.848000000");  // 61.3837 x 4 x 8760
  line.model = PriceModel::cud_3y;
  CHECK(obligation(line, MachineCount{4}, 0h).list.to_text(9) == "6452654.544000000");
}

TEST_CASE("Totals do not depend on the order in which usage is booked", "[cost]") {
  std::mt19937_64 random{7};
  struct Use {
    std::uint32_t line;
    std::int64_t machines, from, length, rounding;
  };
  std::vector<Use> uses;
  for (int i = 0; i < 500; ++i) {
    const auto draw = [&](std::uint64_t below) { return static_cast<std::int64_t>(random() % below); };
    uses.push_back({static_cast<std::uint32_t>(draw(3)), 1 + draw(8), draw(400'000'000), draw(90'000'000),
                    draw(60'000)});
  }
  std::vector<PriceLine> lines;
  for (const std::int64_t price : {88'490'000'001L, 1'928'020'003L, 853'000'007L})
    lines.push_back(line_at(MachineHourPrice{price}));
  const auto total = [&] {
    UsageLedger ledger{3, 1, 1};
    for (const Use& use : uses) {
      const SimTime from = kStart + SimDuration{use.from};
      ledger.add(key(use.line), MachineCount{use.machines}, from, from + SimDuration{use.length},
                 MachineTime{use.rounding});
    }
    Cost cost;
    for (const UsageKey& each : ledger.keys()) cost += cost_of(lines[index(each.line)], ledger.hours(each));
    return cost;
  };
  const Cost first = total();
  Money expected;
  for (const Use& use : uses) {
    expected += lines[use.line].steps[0].list * MachineTime{use.machines * use.length + use.rounding};
  }
  CHECK(first.list == expected);
  for (int i = 0; i < 5; ++i) {
    std::ranges::shuffle(uses, random);
    CHECK(total() == first);
  }
}
