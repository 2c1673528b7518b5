// What is read off a recommendation: prices that change it, the front, months to break even.

#include <cmath>

#include <catch2/catch.hpp>

#include "models/recommend/trade_offs.h"
#include "tests/support/made_up/purchase_question.h"

using namespace stockout;
using Kind = CandidateStanding::Kind;

namespace {

// One goal: 90 % of jobs in time. The first is the best.
Recommendation made_up(const std::vector<std::pair<double, double>>& costs_and_shares) {
  Recommendation found;
  found.kind = Recommendation::Kind::recommended;
  found.goals.emplace_back().goal.least = 0.9;  // of starts
  for (const auto& [cost, share] : costs_and_shares) {
    PurchaseStanding& one = found.standings.emplace_back();
    const bool is_first = found.standings.size() == 1;
    one.purchase = found.standings.size() - 1;
    one.standing.kind = is_first ? Kind::chosen : share < 0.9 ? Kind::misses : Kind::dearer;
    one.cost.mean = cost;
    one.goals = {Estimate{.mean = share, .half_width = {}}};
    if (is_first) continue;
    one.more = ExtraCost{};
    one.more->in_all.mean = cost - found.standings.front().cost.mean;
  }
  return found;
}

constexpr auto kOnDemand = static_cast<std::size_t>(PriceModel::on_demand);
constexpr auto kSpot = static_cast<std::size_t>(PriceModel::spot);

}  // namespace

TEST_CASE("Of the prices that make a dearer purchase the cheapest the nearest is named", "[trade_offs]") {
  Recommendation found = made_up({{100, 1}, {120, 1}, {130, 1}});
  found.standings[1].more->by_model[kOnDemand] = -40;  // at 1.5 times the price it costs no more
  found.standings[2].more->by_model[kOnDemand] = -300;
  found.standings[2].more->by_model[kSpot] = 60;  // at half the price
  const std::vector<PurchaseFlip> flips = price_flips(found);
  REQUIRE(flips.size() == 2);
  CHECK(flips[0].model == PriceModel::on_demand);
  CHECK(flips[0].factor == Approx(1.1));
  CHECK(flips[0].standing == 2);
  CHECK(flips[1].model == PriceModel::spot);
  CHECK(flips[1].factor == Approx(0.5));
}

TEST_CASE("Purchases that are as good, or miss a goal, change nothing by a price", "[trade_offs]") {
  Recommendation found = made_up({{100, 1}, {101, 1}, {120, 0.5}});
  found.standings[1].standing.kind = Kind::as_good;
  for (PurchaseStanding& one : found.standings) {
    if (one.more) one.more->by_model[kOnDemand] = -40;
  }
  CHECK(price_flips(found).empty());
}

TEST_CASE("What misses a goal is no other answer, whatever its price, nor is a price that nobody would see",
          "[trade_offs]") {
  Recommendation found = made_up({{100, 1}, {120, 0.5}, {120, 1}});
  found.standings[1].standing.kind = Kind::dearer;  // left for its cost, before its goals were looked at
  found.standings[1].more->by_model[kOnDemand] = -40;
  found.standings[2].more->by_model[kSpot] = -0.2;  // at 101 times the price
  CHECK(price_flips(found).empty());
  found.standings[2].more->by_model[kSpot] = -0.21;
  found.standings[2].more->by_model[kOnDemand] = 20.2;  // at 0.0099 of the price
  REQUIRE(price_flips(found).size() == 1);
  CHECK(price_flips(found)[0].model == PriceModel::spot);
}

TEST_CASE("As good is what meets the goals for sure, and costs at most the indifference more",
          "[trade_offs]") {
  Recommendation found = made_up({{100, 1}, {104, 1}});
  found.indifference_usd = 5;
  PurchaseStanding& one = found.standings[1];
  CHECK_FALSE(is_as_good(found, one));
  one.standing.meets_all = true;
  CHECK(is_as_good(found, one));
  one.more->in_all.half_width = 2;
  CHECK_FALSE(is_as_good(found, one));
}

TEST_CASE("No price is so low that what is used less of it costs the same", "[trade_offs]") {
  Recommendation found = made_up({{100, 1}, {120, 1}});
  found.standings[1].more->by_model[kSpot] = 15;  // even for nothing it costs 5 more
  CHECK(price_flips(found).empty());
}

TEST_CASE("On the front are those that nothing beats in cost and goals alike", "[trade_offs]") {
  const Recommendation found = made_up({{100, 0.95}, {120, 0.99}, {130, 0.99}, {120, 0.94}, {100, 0.95}});
  const std::vector<bool> expected{true, true, false, false, true};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(is_on_front(found, found.standings[i]) == expected[i]);
  }
}

TEST_CASE("A goal that no job counts for is met", "[trade_offs]") {
  Recommendation found = made_up({{100, 0.8}, {100, 0.9}});
  CHECK_FALSE(meets_all(found, found.standings[0]));
  CHECK(meets_all(found, found.standings[1]));
  found.standings[0].goals[0].reset();
  CHECK(meets_all(found, found.standings[0]));
}

TEST_CASE("A commitment breaks even when it has saved what it obliges to", "[trade_offs]") {
  // A job that never ends: of 8,760 hours on demand the term costs the ratio of the prices, in years.
  const test::Question question{R"({
    "name": "all year", "start": "2026-08-03", "window": "10d", "seed": 5, "end": "drain",
    "prices_as_of": "2026-07-30", "replications": 1, "most_obligation": "3y",
    "models": {"all": {"start_up": "0s"}},
    "pools": [{"name": "zone", "family": "a3-highgpu", "place": "us-central1-a", "hosts": 10}],
    "goal": {"wait_p": 90, "at_most": "4h"},
    "workload": [{"name": "serving", "machine": "a3-highgpu-8g",
                  "schedule": {"on_days": [0], "at": "00:00"}, "work": "240h"}],
    "reservations": [{"name": "team", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 1,
                      "commitment": "1y"}],
    "strategies": [
      {"name": "reserved", "legs": [{"model": "reservation", "reservation": "team"}]},
      {"name": "on-demand", "legs": [{"model": "on_demand", "places": ["us-central1-a"]}]}]
  })"};
  Recommendation found = question.answer();
  REQUIRE(found.standings.size() == 2);
  const bool reserved_first = question.name(found.standings[0]) == "reserved";
  const PurchaseStanding& reserved = found.standings[reserved_first ? 0 : 1];
  PurchaseStanding& on_demand = found.standings[reserved_first ? 1 : 0];
  const double ratio =
      reserved.means[Measure::cost_cud_1y].mean / on_demand.means[Measure::cost_on_demand].mean;
  CHECK(ratio > 0.2);
  CHECK(ratio < 0.9);
  const auto months = months_to_break_even(found, question.purchases(), reserved);
  REQUIRE(months);
  CHECK(*months == Approx(12 * ratio).epsilon(1e-6));
  CHECK_FALSE(months_to_break_even(found, question.purchases(), on_demand));
  on_demand.cost.mean = 0;
  CHECK(std::isinf(*months_to_break_even(found, question.purchases(), reserved)));
  on_demand.goals[0]->mean = 0;  // nothing without a commitment meets the goals
  CHECK_FALSE(months_to_break_even(found, question.purchases(), reserved));
}
