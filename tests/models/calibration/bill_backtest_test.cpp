// A recorded bill beside a predicted one, by hand.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/calibration/bill_backtest.h"
#include "models/calibration/bill_grade.h"
#include "models/experiment/run_observer.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

const BilledProduct kBought{.machine = "m", .region = "r", .model = PriceModel::spot};
const BilledProduct kNotBought{.machine = "m", .region = "r", .model = PriceModel::on_demand};
const std::vector<BillSpan> kTwoMonths{{.name = "May", .from = 0, .to = 24},
                                       {.name = "June", .from = 24, .to = 48}};

RecordedCharge charge(const BilledProduct& product, int from, int to, double usd) {
  return {.product = product,
          .from = kStart + std::chrono::hours{from},
          .to = kStart + std::chrono::hours{to},
          .usd = usd};
}

std::string refusal_of(const std::vector<RecordedCharge>& charges) {
  return error_in([&] { check_charges(kTwoMonths, {kBought}, charges, "may.csv"); });
}

// A job of an hour at noon of both days, with a start-up of a minute, at $10 an hour.
BilledUse use_of_two_days(const Scenario& scenario) {
  return observe_run(scenario.world, {.strategy = 0, .replication = 0},
                     {.goal = {}, .terms = &scenario.terms}, {})
      .use;
}

}  // namespace

TEST_CASE("A bill is predicted beside the recorded one, in all and by month", "[backtest][bill]") {
  const std::vector<RecordedCharge> charges{charge(kBought, 0, 24, 100), charge(kBought, 12, 36, 60),
                                            charge(kBought, -24, 0, 999), charge(kBought, 47, 49, 20),
                                            charge(kNotBought, 30, 54, 8)};
  const std::vector<PredictedBill> predicted{
      {.usd = {100, 50}, .weight = 1}, {.usd = {120, 60}, .weight = 1}, {.usd = {140, 40}, .weight = 2}};
  const BillBacktest found = backtest_bill(kTwoMonths, {kBought}, charges, predicted);
  REQUIRE(found.rows.size() == 3);
  const BillRow& all = found.rows[0];
  CHECK(all.name == "in all");
  CHECK(all.recorded_usd == Approx(100 + 60 + 10));
  CHECK(all.predicted_usd == Approx((150 + 180 + 2 * 180) / 4.0));
  CHECK(*all.error() == Approx(172.5 / 170 - 1));
  CHECK(all.intervals[0].low == 150);  // half of the weight lies from 150 ...
  CHECK(all.intervals[0].high == 180);
  const BillRow& june = found.rows[2];
  CHECK(june.name == "June");
  CHECK(june.recorded_usd == Approx(30 + 10));
  CHECK(june.predicted_usd == Approx((50 + 60 + 2 * 40) / 4.0));
  CHECK(june.intervals[3].low == 40);
  CHECK(june.intervals[3].high == 60);
  CHECK(found.worlds == 3);
  REQUIRE(found.others.size() == 1);
  CHECK(found.others[0].product == "m as on_demand in r");
  CHECK(found.others_usd() == Approx(6));  // 18 of its 24 hours
}

TEST_CASE("Charges that say nothing of the strategy are errors, with what they should be",
          "[backtest][bill]") {
  CHECK(refusal_of({charge(kBought, 1, 2, 1)}).empty());
  CHECK_THAT(refusal_of({charge(kNotBought, 1, 2, 1)}),
             Contains("may.csv: has no charge for what the strategy buys, such as m as spot in r"));
  for (const int from : {-30, 48}) {
    CHECK_THAT(refusal_of({charge(kBought, from, from + 24, 1)}),
               Contains("may.csv: has its charges for what the strategy buys before the split, or after the "
                        "last job of the history: are its dates those of the history?"));
  }
}

TEST_CASE("The bill of a month is that of its hours, less what commitments cover", "[backtest][bill]") {
  const ScenarioLoader loader;
  Scenario scenario = loader.small({});
  const double day = 10 * 61.0 / 60;
  const auto months = bill_of_spans(use_of_two_days(scenario), scenario.world, scenario.terms, kTwoMonths);
  CHECK(months[0] == Approx(day));
  CHECK(months[1] == Approx(day));
  const std::vector<BillSpan> noon{{.name = "noon", .from = 12, .to = 13}};
  CHECK(bill_of_spans(use_of_two_days(scenario), scenario.world, scenario.terms, noon)[0] == Approx(10));
  // A commitment of the first day alone covers that day's machine, and its own fee is in neither bill.
  const auto& lines = scenario.world.price_lines;
  const auto found = std::ranges::find_if(lines, [](const PriceLine& one) {
    return one.charge == Charge::direct && one.model == PriceModel::on_demand;
  });
  REQUIRE(found != lines.end());
  const PriceLine& line = *found;
  scenario.terms.commitments = {{.name = "old",
                                 .machine = line.machine,
                                 .region = line.region,
                                 .machines = MachineCount{1},
                                 .start = kStart - std::chrono::hours{100},
                                 .end = kStart + std::chrono::hours{24},
                                 .list = MachineHourPrice{1},
                                 .contracted = MachineHourPrice{1},
                                 .as_of = ""}};
  scenario.terms.coverage = {
      {.commitments = {0}, .lines = {PriceLineId{static_cast<std::uint32_t>(found - lines.begin())}}}};
  const auto covered = bill_of_spans(use_of_two_days(scenario), scenario.world, scenario.terms, kTwoMonths);
  CHECK(covered[0] == Approx(0).margin(1e-9));
  CHECK(covered[1] == Approx(day));
}

TEST_CASE("A strategy buys the products of its legs and of what it holds, but commitments",
          "[backtest][bill]") {
  const ScenarioLoader loader;
  const auto names = [&](const char* legs, const char* held) {
    const Scenario scenario =
        loader.small({{.pointer = "/strategies/0/legs", .value = legs},
                      {.pointer = "/reservations", .value = held},
                      {.pointer = "/prices", .value = R"([{"machine": "generic", "usd_per_hour": 10},
                                    {"machine": "generic", "model": "cud_1y", "usd_per_hour": 5}])"}});
    std::vector<std::string> found;
    for (const BilledProduct& product : products_of(scenario.world, 0))
      found.push_back(product_text(product));
    return found;
  };
  const char* plain = R"([{"name": "held", "machine": "generic", "place": "generic", "count": 2}])";
  const char* committed =
      R"([{"name": "held", "machine": "generic", "place": "generic", "count": 2, "commitment": "1y"}])";
  using Names = std::vector<std::string>;
  CHECK(names(R"([{"model": "spot"}])", plain) == Names{"generic as spot in generic"});
  CHECK(names(R"([{"model": "reservation", "reservation": "held"}, {"model": "spot"}])", plain) ==
        Names{"generic as on_demand in generic", "generic as spot in generic"});
  CHECK(names(R"([{"model": "reservation", "reservation": "held"}])", committed).empty());
}

TEST_CASE("A grade is no better than that of the bill", "[backtest][bill]") {
  const auto graded = [](double predicted, BacktestGrade before) {
    Backtest found;
    found.grade = before;
    found.why = {"other"};
    if (before == BacktestGrade::good) found.why.clear();
    BillBacktest bill;
    bill.rows = {{.name = "in all", .recorded_usd = 100, .predicted_usd = predicted}};
    add_bill(found, bill);
    return found;
  };
  CHECK(graded(91, BacktestGrade::good).grade == BacktestGrade::good);
  CHECK(graded(111, BacktestGrade::good).grade == BacktestGrade::fair);
  CHECK(graded(111, BacktestGrade::good).why ==
        std::vector<std::string>{"the bill is predicted 11 % too high"});
  CHECK(graded(74, BacktestGrade::fair).grade == BacktestGrade::poor);
  CHECK(graded(74, BacktestGrade::fair).why ==
        std::vector<std::string>{"the bill is predicted 26 % too low"});
  CHECK(graded(80, BacktestGrade::fair).why.size() == 2);
  CHECK(graded(100, BacktestGrade::poor).why == std::vector<std::string>{"other"});
}
