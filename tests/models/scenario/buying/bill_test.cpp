// Commitments that exist already and other costs, as scenarios say them.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/measures/measures.h"
#include "models/simulation/simulate.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

// The small scenario with one commitment or other cost.
Scenario with(const std::string& key, const std::string& value, std::vector<Override> more = {}) {
  more.insert(more.begin(), {"/" + key, "[" + value + "]"});
  return test::ScenarioLoader{}.small(std::move(more));
}

std::string error_of(const std::string& key, const std::string& value) {
  return test::error_in([&] { static_cast<void>(with(key, value)); });
}

std::string committed(const std::string& rest) {
  return R"({"name": "c", "machine": "generic", "region": "generic", "count": 1, )" + rest + "}";
}

bool mentions(const std::vector<std::string>& lines, const std::string& part) {
  return std::ranges::any_of(lines,
                             [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

std::string with_price_file(const std::string& name) {
  std::string text = test::kSmallScenario;
  return text.insert(text.find(R"( "prices":)"), R"( "price_files": [")" + name + "\"],\n");
}

const std::string kPriced = R"("usd_per_hour": 4, "start": "2026-01-01", "end": "2027-01-01")";

}  // namespace

TEST_CASE("A commitment covers the lines of its machine at the on-demand price", "[bill]") {
  const Scenario scenario = with("commitments", committed(kPriced));
  const World& world = scenario.world;
  REQUIRE(scenario.terms.coverage.size() == 1);
  std::vector<Charge> charges;
  for (const PriceLineId line : scenario.terms.coverage[0].lines)
    charges.push_back(world.price_lines[index(line)].charge);
  CHECK(charges == std::vector{Charge::held, Charge::direct});
  CHECK(scenario.terms.commitments[0].end - kStart == 151 * 24h);  // from 2026-08-03
  CHECK(mentions(scenario.warnings, "needs a reservation of the same machine"));
  CHECK(mentions(scenario.assumptions, "sunk, $192 in the window under every strategy and $14,304 after it"));

  const Scenario spot = with("commitments", committed(kPriced),
                             {{"/strategies/0/legs/0/model", "spot"}, {"/reservations", "[]"}});
  CHECK(spot.terms.coverage[0].lines.empty());
}

TEST_CASE("A commitment covers a node pool, whose machines are Compute Engine's, and no persistent resource",
          "[bill]") {
  const auto covers_held = [](const std::string& model) {
    const std::string held =
        R"({"name": "held", "machine": "generic", "place": "generic", "count": 2, "model": ")" + model +
        "\"}";
    const std::string legs = R"([{"reservation": "held", "model": ")" + model + "\"}]";
    const Scenario scenario =
        with("commitments", committed(kPriced), {{"/reservations/0", held}, {"/strategies/0/legs", legs}});
    return std::ranges::any_of(scenario.terms.coverage[0].lines, [&](PriceLineId line) {
      return scenario.world.price_lines[index(line)].charge == Charge::held;
    });
  };
  CHECK(covers_held("node_pool"));
  CHECK_FALSE(covers_held("persistent_resource"));
}

TEST_CASE("A run with a commitment pays for it once, and nothing for what it covers", "[bill]") {
  const Scenario scenario = with("commitments", committed(kPriced));
  const RunRecord record = simulate(scenario.world, 0, 0);
  const Values values =
      measure(scenario.world, 0, 0, record, {.by = GroupBy::nothing, .goal = {}, .terms = &scenario.terms})
          .total;
  // Two jobs of an hour with a minute's start-up at $10 an hour, both covered; 48 hours at $4.
  CHECK(values[Measure::cost_direct].value == Approx(2 * 61.0 / 60 * 10));
  CHECK(values[Measure::covered].value == values[Measure::cost_direct].value);
  CHECK(values[Measure::cost].value == Approx(192));
  CHECK(values[Measure::cost_open].value == 0);
}

TEST_CASE("A commitment's plan gives its price and its end", "[bill]") {
  const std::string h100 =
      R"({"name": "c", "machine": "a3-highgpu-8g", "region": "us-central1", "count": 8, "plan": "3y", "start": )";
  const auto at = [&](const std::string& start) {
    return with("commitments", h100 + start + "}").terms.commitments[0];
  };
  const Commitment commitment = at("\"2025-08-03\"");
  CHECK(static_cast<double>(commitment.contracted.count()) / 1e9 == Approx(38.86).margin(0.005));
  CHECK(commitment.start - kStart == -365 * 24h);
  CHECK(commitment.end - kStart == (365 + 366) * 24h);  // 2028-08-03
  CHECK_FALSE(commitment.as_of.empty());
  const Commitment leap = at("\"2024-02-29\"");
  CHECK(leap.end - leap.start == 1096 * 24h);  // 2027-03-01
}

TEST_CASE("A discount is on the plan of a commitment that exists only where it says so", "[bill]") {
  const auto price_with = [](const std::string& discount) {
    const std::string h100 = R"({"name": "c", "machine": "a3-highgpu-8g", "region": "us-central1", "count": 8,
                                 "plan": "3y", "start": "2025-08-03"})";
    const std::string prices = R"([{"machine": "generic", "usd_per_hour": 10}, )" + discount + "]";
    return with("commitments", h100, {{"/prices", prices}}).terms.commitments[0].contracted;
  };
  CHECK(price_with(R"({"factor": 0.5})") == MachineHourPrice{38'864'380'000});
  CHECK(price_with(R"({"factor": 0.5, "model": "cud_3y"})") == MachineHourPrice{38'864'380'000});
  CHECK(price_with(R"({"factor": 0.5, "model": "cud_3y", "use": "existing"})") ==
        MachineHourPrice{19'432'190'000});
  CHECK_THAT(error_of("prices", R"({"factor": 0.5, "as_of": "2026-01-01"})"), Contains("usd_per_hour"));
}

TEST_CASE("A commitment that cannot be is refused with its place", "[bill]") {
  const auto error = [](const std::string& rest) { return error_of("commitments", committed(rest)); };
  CHECK_THAT(error(R"("usd_per_hour": 4, "start": "2026-01-01")"),
             Contains("/commitments/0: \"end\" is missing"));
  CHECK_THAT(error(R"("usd_per_hour": 4, "start": "2026-01-01", "end": "2026-01-01")"),
             Contains("/commitments/0/end: must be later than the start, 2026-01-01"));
  CHECK_THAT(error(R"("usd_per_hour": 4, "start": "2026-01-01", "end": "2099-01-01")"),
             Contains("/commitments/0/end: must be at most 3660 days"));
  CHECK_THAT(error(R"("plan": "1y", "usd_per_hour": 4, "start": "2026-01-01")"), Contains("/commitments/0"));
  CHECK_THAT(error_of("commitments", R"({"name": "c", "machine": "a4-highgpu-8g", "region": "us-central1",
                                         "count": 8, "plan": "1y", "start": "2026-01-01"})"),
             Contains("/commitments/0/plan: no cud_1y price of a4-highgpu-8g"));
  CHECK_THAT(error_of("commitments", R"({"name": "c", "machine": "a3-highgpu-8g", "region": "us-central1-a",
                                         "count": 8, "plan": "3y", "start": "2026-01-01"})"),
             Contains("/commitments/0/region: is a zone; its region is \"us-central1\""));
  CHECK_THAT(error_of("commitments", R"({"name": "c", "machine": "a3-highgpu-9g", "region": "us-central1",
                                         "count": 8, "plan": "3y", "start": "2026-01-01"})"),
             Contains("/commitments/0/machine") && Contains("did you mean \"a3-highgpu-"));
  CHECK_THAT(error_of("commitments", R"({"name": "c", "machine": "a2-ultragpu-8g", "region": "us-west1",
                                         "count": 8, "plan": "3y", "start": "2026-01-01"})"),
             Contains("/commitments/0/region: us-west1 is not known to have a2-ultragpu"));
  CHECK_THAT(error_of("commitments", committed(kPriced) + "," + committed(kPriced)),
             Contains("/commitments/1/name: there is a \"c\" already"));
}

TEST_CASE("Other costs are read in their units", "[bill]") {
  const auto cost = [](const std::string& rest) {
    return with("other_costs", R"({"name": "x", )" + rest + "}").terms.other[0];
  };
  CHECK(cost(R"("usd_per_hour": 2)").price == MachineHourPrice{2'000'000'000});
  CHECK(cost(R"("usd_per_month": 73)").price == MachineHourPrice{100'000'000});
  CHECK(cost(R"("usd_per_month": 73)").unit == CostUnit::hour);
  CHECK(cost(R"("usd_once": 1)").unit == CostUnit::once);
  CHECK(cost(R"("usd_per_job": 0.000000001)").price == MachineHourPrice{1});
  CHECK(cost(R"("usd_per_gpu_hour": 1, "strategies": ["first"])").strategies == std::vector{true});
  const auto classes = with("other_costs", R"({"name": "x", "usd_per_job": 1, "classes": ["night"]})",
                            {{"/classes", R"({"night": {}})"}})
                           .terms.other[0]
                           .classes;
  CHECK(std::ranges::count(classes, true) == 1);
  CHECK(mentions(with("other_costs", R"({"name": "x", "usd_per_month": 73})").assumptions,
                 "Other cost \"x\": $73 a month of the window (730 h); every strategy"));
}

TEST_CASE("A credit is a negative cost, and the bill is less by it", "[bill]") {
  const auto bill_with = [](const std::string& costs) {
    const Scenario scenario = with("other_costs", costs);
    const RunRecord record = simulate(scenario.world, 0, 0);
    return measure(scenario.world, 0, 0, record,
                   {.by = GroupBy::nothing, .goal = {}, .terms = &scenario.terms})
        .total;
  };
  const Values with_credits =
      bill_with(R"({"name": "promised", "usd_once": -5}, {"name": "per job", "usd_per_job": -2})");
  CHECK(with_credits[Measure::cost_other].value == Approx(-9));  // two jobs
  CHECK(bill_with("")[Measure::cost].value - with_credits[Measure::cost].value == Approx(9));
  CHECK(mentions(with("other_costs", R"({"name": "promised", "usd_once": -5})").assumptions,
                 "Credit \"promised\": $5 once; every strategy"));
}

TEST_CASE("Prices of files come after those of the scenario, and those of the command line last", "[bill]") {
  const test::ScenarioLoader loader;
  static_cast<void>(
      loader.folder().file("offer.json", R"({"prices": [{"factor": 0.9}], "billing": {"least": "2min"}})"));
  const std::string more = loader.folder().file("more.json", R"([{"factor": 0.5, "factor_of": "above"}])");
  const std::string path = loader.folder().file("s.json", with_price_file("offer.json"));
  const auto load = [&](std::vector<std::string> files) {
    ScenarioOptions options;
    options.price_files = std::move(files);
    return load_scenario(path, options);
  };
  const auto contracted = [](const Scenario& scenario) {
    return scenario.world.price_lines.at(0).steps.at(0).contracted;
  };
  CHECK(contracted(load({})) == MachineHourPrice{9'000'000'000});
  CHECK(load({}).world.billing.least == 2min);
  const Scenario both = load({more});
  CHECK(contracted(both) == MachineHourPrice{4'500'000'000});
  CHECK(both.inputs.back() == more);
  CHECK(both.prices.size() == 3);
}

TEST_CASE("A price file that cannot be is refused with its own place", "[bill]") {
  const test::ScenarioLoader loader;
  static_cast<void>(loader.folder().file("offer.json", "[\n {\"machine\": \"generic\", \"factor\": -1}]"));
  const auto error = [&](const std::string& file) {
    return test::error_in([&] { static_cast<void>(loader.load(with_price_file(file))); });
  };
  CHECK_THAT(error("offer.json"), Contains("offer.json:2: /prices/0/factor: must be at least 0"));
  CHECK_THAT(error("other.json"), Contains("/price_files/0") && Contains("there is no such file"));
}

TEST_CASE("An other cost that cannot be is refused with its place", "[bill]") {
  const auto error = [](const std::string& rest) {
    return error_of("other_costs", R"({"name": "x", )" + rest + "}");
  };
  CHECK_THAT(error(R"("usd_once": -1e7)"), Contains("/other_costs/0/usd_once: must be at least -1000000"));
  CHECK_THAT(error(R"("usd_once": -1e-12)"), Contains("/other_costs/0/usd_once: must be 0, or at least"));
  CHECK_THAT(error(R"("usd_once": 1e7)"), Contains("/other_costs/0/usd_once: must be at most"));
  CHECK_THAT(error(R"("usd_once": 1e-12)"), Contains("/other_costs/0/usd_once: must be 0, or at least"));
  CHECK_THAT(error(R"("usd_once": 1, "usd_per_job": 1)"), Contains("/other_costs/0"));
  CHECK_THAT(error(R"("strategies": ["first"])"), Contains("/other_costs/0"));
  CHECK_THAT(error(R"("usd_once": 1, "strategies": ["frist"])"),
             Contains("/other_costs/0/strategies/0: there is no strategy \"frist\" (known: \"first\")"));
  CHECK_THAT(error(R"("usd_per_job": 1, "classes": ["nights"])"),
             Contains("/other_costs/0/classes/0: there is no job class \"nights\""));
  CHECK_THAT(
      error(R"("usd_once": 1, "classes": ["jobs"])"),
      Contains("/other_costs/0/classes: is allowed only with \"usd_per_job\" or \"usd_per_gpu_hour\""));
}

TEST_CASE("A factor is not dropped: it is on a price of one's own, or refused where there is none",
          "[scenario][bill]") {
  const std::string own = R"([{"machine": "generic", "usd_per_hour": 10}, {"factor": 0.8}])";
  const Scenario scenario = test::ScenarioLoader{}.small({{"/prices", own}});
  const PriceStep& step = scenario.world.price_lines.at(0).steps.at(0);
  CHECK(step.list == MachineHourPrice{10'000'000'000});
  CHECK(step.contracted == MachineHourPrice{8'000'000'000});
  const std::string nothing =
      R"([{"machine": "generic", "model": "on_demand", "usd_per_hour": 10}, {"machine": "generic", "model": "spot", "factor": 0.8}])";
  CHECK_THAT(test::error_in([&] {
               static_cast<void>(test::ScenarioLoader{}.small({{"/prices", nothing}}));
             }),
             Contains("/prices/1/factor: is a factor on nothing"));
}
