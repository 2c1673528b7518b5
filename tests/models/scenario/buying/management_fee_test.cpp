// Who pays Vertex AI's management fee, and for what, as scenarios say it.

#include <catch2/catch.hpp>

#include "models/measures/measures.h"
#include "models/simulation/simulate.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

Scenario with(std::vector<Override> overrides) { return ScenarioLoader{}.small(std::move(overrides)); }

Scenario with_legs(const std::string& legs, std::vector<Override> more = {}) {
  more.push_back({"/strategies/0/legs", legs});
  return with(std::move(more));
}

const PriceLine* fee_of(const World& world, PriceLineId line) {
  const auto fee = world.price_lines[index(line)].fee;
  return fee ? &world.price_lines[index(*fee)] : nullptr;
}

PriceLineId line_of(const World& world, std::size_t leg) {
  return world.strategies[0].legs[leg].candidates[0].at(0).parts[0].line.value();
}

double cost(const Scenario& scenario, Measure measure) {
  const RunRecord record = simulate(scenario.world, 0, 0);
  const MeasureOptions options{.by = GroupBy::nothing, .goal = {}, .terms = &scenario.terms};
  return stockout::measure(scenario.world, 0, 0, record, options).total[measure].value;
}

}  // namespace

TEST_CASE("Legs on Vertex AI pay its management fee on top of the machine, others do not", "[fee]") {
  const Scenario scenario = with_legs(R"([{"model": "spot", "orchestrator": "vertex"},
                                          {"model": "spot", "orchestrator": "gke"}, {"model": "on_demand"}])");
  const World& world = scenario.world;
  REQUIRE(fee_of(world, line_of(world, 0)) != nullptr);
  const PriceLine& fee = *fee_of(world, line_of(world, 0));
  CHECK(fee.model == PriceModel::management_fee);
  CHECK(fee.charge == Charge::direct);
  CHECK(fee.steps[0].contracted == MachineHourPrice{1'500'000'000});  // 15 % of $10
  CHECK(fee_of(world, line_of(world, 1)) == nullptr);
  CHECK(fee_of(world, line_of(world, 2)) == nullptr);
}

// Two jobs of 61 minutes each, at $10 an hour.
TEST_CASE("A run on Vertex AI costs the share more", "[fee]") {
  const std::vector<Override> on_vertex{{"/strategies/0/orchestrator", "vertex"}};
  const double machines = 2 * 61.0 / 60 * 10;
  CHECK(cost(with({}), Measure::cost) == Approx(machines));
  CHECK(cost(with(on_vertex), Measure::cost) == Approx(1.15 * machines));
  CHECK(cost(with(on_vertex), Measure::cost_management_fee) == Approx(0.15 * machines));
  CHECK(cost(with(on_vertex), Measure::cost_on_demand) == Approx(machines));
  std::vector<Override> none = on_vertex;
  none.push_back({"/billing", R"({"management_fee": 0})"});
  CHECK(cost(with(none), Measure::cost) == Approx(machines));
}

TEST_CASE("Of a reservation the fee is for what Vertex AI's jobs use of it", "[fee]") {
  const std::string legs = R"([{"model": "reservation", "reservation": "held"}])";
  const double held = 2 * 48 * 10;
  CHECK(cost(with_legs(legs), Measure::cost) == Approx(held));
  const Scenario vertex = with_legs(legs, {{"/strategies/0/orchestrator", "vertex"}});
  CHECK(cost(vertex, Measure::cost) == Approx(held + 2 * 61.0 / 60 * 1.5));
  CHECK(cost(vertex, Measure::cost_held) == Approx(held));
}

TEST_CASE("A persistent resource has its fee, used or not", "[fee]") {
  const Scenario scenario = with_legs(
      R"([{"model": "persistent_resource", "reservation": "held"}])",
      {{"/reservations/0",
        R"({"name": "held", "model": "persistent_resource", "machine": "generic", "place": "generic", "least": 1, "count": 1, "cold_start": "0s"})"}});
  CHECK(cost(scenario, Measure::cost) == Approx(48 * 11.5));
  CHECK(cost(scenario, Measure::cost_idle) == Approx((48 - 2 * 61.0 / 60) * 11.5).margin(0.5));
}

TEST_CASE("Jobs that share held machines pay the fee by GPU", "[fee]") {
  const Scenario scenario = with(
      {{"/pools/0", R"({"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4})"},
       {"/reservations/0",
        R"({"name": "held", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 2, "share": true})"},
       {"/workload/0", R"({"name": "jobs", "schedule": {}, "gpu": "H100-80GB", "gpus": 3, "work": "1h"})"},
       {"/strategies/0/orchestrator", "vertex"},
       {"/strategies/0/legs/0", R"({"model": "reservation", "reservation": "held"})"}});
  const PriceLine* fee = fee_of(scenario.world, line_of(scenario.world, 0));
  REQUIRE(fee != nullptr);
  CHECK(fee->steps[0].contracted == MachineHourPrice{13'273'500'000 / 8});
}

TEST_CASE("A fee that is not known is an error with its cure, and no way to buy", "[fee]") {
  const std::vector<Override> h200{
      {"/pools/0", R"({"family": "a3-ultragpu", "place": "us-east5-a", "gpus": 8})"},
      {"/workload/0/machine", "a3-ultragpu-8g"},
      {"/reservations", "[]"},
      {"/strategies/0", R"({"name": "flex", "orchestrator": "vertex", "legs": [{"model": "flex_start"}]})"}};
  CHECK_THAT(
      error_in([&] { static_cast<void>(with(h200)); }),
      Contains("management fee is a share of the on-demand price, and there is none of a3-ultragpu-8g"));
  std::vector<Override> given = h200;
  given.push_back({"/prices/-", R"({"model": "management_fee", "usd_per_hour": 11})"});
  const Scenario scenario = with(given);
  CHECK(fee_of(scenario.world, line_of(scenario.world, 0))->steps[0].contracted ==
        MachineHourPrice{11'000'000'000});
  CHECK_THAT(error_in([] {
               static_cast<void>(with({{"/strategies/0/legs/0/price", "management_fee"}}));
             }),
             Contains("/strategies/0/legs/0/price"));
}

TEST_CASE("A report says that the fee is in the cost, and at which share", "[fee]") {
  const Scenario scenario =
      with({{"/strategies/0/orchestrator", "vertex"}, {"/billing", R"({"management_fee": 0.1})"}});
  REQUIRE_FALSE(scenario.assumptions.empty());
  CHECK_THAT(scenario.assumptions[0],
             Contains("fee is in the cost: 10 % of the machine's on-demand list price"));
}
