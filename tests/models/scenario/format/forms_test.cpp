#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/theory/checkpoints.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

// The keys of Flex Start's forms, chained runs, lifetimes, last checkpoints, ageing and moving prices.

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

Scenario with(std::vector<Override> overrides) { return test::ScenarioLoader{}.small(std::move(overrides)); }

std::string error_of(std::vector<Override> overrides) {
  return test::error_in([&] { static_cast<void>(with(std::move(overrides))); });
}

// The policy of the only leg.
Policy policy(const std::string& leg) {
  return with({{"/strategies/0/legs/0", leg}}).world.strategies[0].legs[0].policy;
}

std::string leg_error(const std::string& leg) { return error_of({{"/strategies/0/legs/0", leg}}); }

bool mentions(const std::vector<std::string>& lines, const std::string& part) {
  return std::ranges::any_of(lines,
                             [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

// H100 machines on Spot in us-central1, by the simulated calendar.
std::vector<Override> moving(const std::string& start, const std::string& window) {
  return {{"/prices_follow_calendar", "true"},
          {"/start", start},
          {"/window", window},
          {"/reservations", "[]"},
          {"/pools/0", R"({"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4})"},
          {"/workload/0/machine", "a3-highgpu-8g"},
          {"/strategies/0/legs/0/model", "spot"}};
}

}  // namespace

TEST_CASE("A leg may chain its runs, bound its machines and give them lifetimes", "[scenario]") {
  const Policy chained = policy(R"({"model": "flex_start", "chains": true, "machines_max": 4})");
  CHECK(chained.chains);
  CHECK(chained.machines_max == 4);
  CHECK_FALSE(policy(R"({"model": "flex_start"})").chains);
  const Law weibull =
      policy(R"({"model": "spot", "lifetime": {"weibull": {"scale": "8h", "shape": 0.7}}})").lifetime;
  CHECK(weibull.kind == Law::Kind::weibull);
  CHECK(weibull.a == 8h);
  CHECK(weibull.sigma == 0.7);
  CHECK(policy(R"({"model": "spot", "lifetime": {"exponential": "8h"}})").lifetime.kind ==
        Law::Kind::exponential);
  CHECK(policy(R"({"model": "spot", "lifetime": "3h"})").lifetime.a == 3h);
  CHECK(policy(R"({"model": "spot", "lifetime": "forever"})").lifetime.constant() == kForever);
}

TEST_CASE("Lifetimes must be long enough for a run to move on", "[scenario]") {
  CHECK_THAT(leg_error(R"({"model": "spot", "lifetime": "0s"})"),
             Contains("lifetime: must be at least 1min on the average"));
  CHECK_THAT(leg_error(R"({"model": "spot", "lifetime": {"exponential": "1s"}})"),
             Contains("must be at least 1min on the average"));
  CHECK_THAT(leg_error(R"({"model": "spot", "lifetime": {"weibull": {"scale": "1h", "shape": 0}}})"),
             Contains("shape: must be at least 0.2, but is 0"));
  CHECK_THAT(leg_error(R"({"model": "spot", "lifetime": {"weibull": {"scale": "1h"}}})"),
             Contains("\"shape\" is missing"));
}

TEST_CASE("Runs without an end cannot be chained", "[scenario]") {
  CHECK_THAT(leg_error(R"({"model": "on_demand", "chains": true})"),
             Contains("\"chains\" requires \"run_max\""));
  CHECK(leg_error(R"({"model": "on_demand", "chains": true, "run_max": "1d"})").empty());
}

TEST_CASE("Jobs that write no checkpoint do not chain, and a warning says so", "[scenario]") {
  const Override chains{"/strategies/0/legs/0", R"({"model": "flex_start", "chains": true})"};
  CHECK(mentions(with({chains}).warnings, "jobs of jobs write no checkpoint: they are cut off at run_max"));
  CHECK_FALSE(mentions(with({chains, {"/workload/0/checkpoint", R"({"every": "1h"})"}}).warnings,
                       "write no checkpoint"));
}

TEST_CASE("Each form of Flex Start keeps to its bounds", "[scenario]") {
  CHECK(policy(R"({"model": "flex_start_vm"})").max_wait == 2h);
  CHECK(policy(R"({"model": "flex_start_vm", "max_wait": "0s"})").max_wait == 0s);
  CHECK(policy(R"({"model": "flex_start_vm", "max_wait": "90s"})").max_wait == 90s);
  CHECK(policy(R"({"model": "flex_start_mig", "max_wait": "30d"})").max_wait == 720h);
  const std::string vm_rule = "a stand-alone flex-start VM waits 0s, or 90s to 2h, not ";
  CHECK_THAT(leg_error(R"({"model": "flex_start_vm", "max_wait": "30s"})"),
             Contains("legs/0: /strategies/0/legs/0/max_wait: " + vm_rule + "30s"));
  CHECK_THAT(leg_error(R"({"model": "flex_start_vm", "max_wait": "3h"})"), Contains(vm_rule + "3h"));
  CHECK_THAT(leg_error(R"({"model": "flex_start_slurm", "max_wait": "1d"})"),
             Contains("Slurm's longest resume time is 65535s, not 1d"));
  CHECK_THAT(leg_error(R"({"model": "flex_start_mig", "run_max": "8d"})"),
             Contains("Flex Start runs for 10min to 7d, not 8d"));
  CHECK_THAT(leg_error(R"({"model": "flex_start_vm", "run_max": "5min"})"),
             Contains("Flex Start runs for 10min to 7d, not 5min"));
  CHECK_THAT(leg_error(R"({"model": "flex_start_vm", "machines_max": 2})"),
             Contains("one request of flex_start_vm is for at most 1 VM"));
  CHECK_THAT(leg_error(R"({"model": "flex_start_mig", "machines_max": 0})"),
             Contains("one request of flex_start_mig is for at most 1000 VMs"));
}

TEST_CASE("A bound counts wherever it was overstepped", "[scenario]") {
  const Override vm{"/strategies/0/legs/0", R"({"model": "flex_start_vm"})"};
  CHECK_THAT(error_of({{"/models", R"({"flex_start_vm": {"max_wait": "1d"}})"}}),
             Contains("/models/flex_start_vm/max_wait: a stand-alone flex-start VM waits"));
  CHECK(error_of({{"/models", R"({"all": {"max_wait": "1d"}})"}}).empty());
  CHECK_THAT(error_of({{"/models", R"({"all": {"max_wait": "1d"}})"}, vm}),
             Contains("/models/all/max_wait: a stand-alone flex-start VM waits 0s, or 90s to 2h, not 1d"));
}

TEST_CASE("The plain flex row may leave its bounds, with a warning", "[scenario]") {
  const Scenario scenario =
      with({{"/strategies/0/legs/0", R"({"model": "flex_start", "run_max": "forever"})"}});
  CHECK(mentions(scenario.warnings, "Flex Start runs for 10min to 7d"));
}

TEST_CASE("A gang that the form never takes is warned of", "[scenario]") {
  const Override gang{"/workload/0/nodes", "2"};
  CHECK(mentions(with({gang, {"/strategies/0/legs/0/model", "flex_start_vm"}}).warnings,
                 "no leg could ever serve"));
  CHECK_FALSE(mentions(with({gang, {"/strategies/0/legs/0/model", "flex_start_mig"}}).warnings,
                       "no leg could ever serve"));
}

TEST_CASE("A class may write its last checkpoint in the notice", "[scenario]") {
  const auto in_notice = [](const std::string& checkpoint) {
    return with({{"/workload/0/checkpoint", checkpoint}}).world.classes[0].checkpoint_in_notice;
  };
  CHECK(in_notice(R"({"every": "1h", "cost": "20s", "in_notice": true})"));
  CHECK_FALSE(in_notice(R"({"every": "1h"})"));
  CHECK_THAT(error_of({{"/workload/0/checkpoint", R"({"in_notice": true})"}}),
             Contains("one of \"every\", \"mean_life\" is missing"));
}

TEST_CASE("A class may leave the interval between checkpoints to Daly", "[scenario]") {
  const Scenario scenario = with({{"/workload/0/checkpoint", R"({"mean_life": "10h", "cost": "6min"})"}});
  const auto ms = static_cast<double>(scenario.world.classes[0].checkpoint_every.count());
  CHECK(ms / 60'000 == Approx(daly_interval(6, 600)).epsilon(1e-6));
  CHECK(mentions(scenario.assumptions, "class jobs: machines die at random after 10h on the average"));
  CHECK_THAT(error_of({{"/workload/0/checkpoint", R"({"mean_life": "10h"})"}}),
             Contains("/workload/0/checkpoint: \"cost\" is missing, which \"mean_life\" requires"));
  CHECK_THAT(error_of({{"/workload/0/checkpoint", R"({"mean_life": "10h", "every": "1h", "cost": "6min"})"}}),
             Contains("cannot go together"));
  // One millisecond, the least there is.
  CHECK(with({{"/workload/0/checkpoint", R"({"mean_life": "1ms", "cost": "1ms"})"}})
            .world.classes[0]
            .checkpoint_every == 1ms);
}

TEST_CASE("Ageing belongs to its discipline, and is needed there", "[scenario]") {
  const auto pool = [](const std::string& keys) {
    return Override{"/pools/0", R"({"family": "generic", "place": "generic", "gpus": 8, )" + keys + "}"};
  };
  const Pool aged = with({pool(R"("discipline": "shortest_ageing", "ageing": 0.25)")}).world.pools[0];
  CHECK(aged.discipline == Discipline::shortest_ageing);
  CHECK(aged.ageing_ppm == 250'000);
  CHECK(with({pool(R"("discipline": "smallest")")}).world.pools[0].discipline == Discipline::smallest);
  CHECK_THAT(error_of({pool(R"("discipline": "shortest_ageing")")}), Contains("\"ageing\" is missing"));
  CHECK_THAT(error_of({pool(R"("ageing": 1)")}),
             Contains("/ageing: is allowed only with discipline \"shortest_ageing\""));
  CHECK_THAT(error_of({pool(R"("discipline": "shortest_ageing", "ageing": -1)")}),
             Contains("must be at least 0, but is -1"));
  const Scenario held =
      with({{"/reservations/0/discipline", "shortest_ageing"}, {"/reservations/0/ageing", "2"}});
  CHECK(held.world.held[0].pool.ageing_ppm == 2'000'000);
}

TEST_CASE("Spot leases may be reclaimed by draw or by loss", "[scenario]") {
  CHECK(with({{"/pools/0/reclaim", "random"}}).world.pools[0].reclaim == ReclaimRule::random);
  CHECK(with({{"/pools/0/reclaim", "smallest_loss"}}).world.pools[0].reclaim == ReclaimRule::smallest_loss);
}

TEST_CASE("Prices that follow the calendar change on the days of the catalogue", "[scenario]") {
  const Scenario scenario = with(moving("2026-06-20", "30d"));
  CHECK(scenario.prices_follow_calendar);
  const PriceLine& line = scenario.world.price_lines.at(0);
  REQUIRE(line.steps.size() >= 3);
  CHECK(line.as_of == "2026-06-11");
  CHECK(line.steps[0].from <= kStart);
  CHECK(line.steps[0].list == MachineHourPrice{39'807'700'000});
  CHECK(line.steps[1].from == kStart + 5 * 24h);
  CHECK(line.steps[1].list == MachineHourPrice{43'804'400'000});
  CHECK(line.steps[2].from == kStart + 19 * 24h);
  CHECK(line.steps[2].contracted == MachineHourPrice{48'185'600'000});
}

TEST_CASE("Prices stay those of one day unless they are to follow the calendar", "[scenario]") {
  std::vector<Override> overrides = moving("2026-06-20", "30d");
  overrides.erase(overrides.begin());
  const PriceLine line = with(overrides).world.price_lines.at(0);
  CHECK(line.steps.size() == 1);
  CHECK(line.as_of == "2026-07-30");
}

TEST_CASE("A day before the first price is an error that names the first", "[scenario]") {
  CHECK_THAT(
      error_of(moving("2024-05-16", "10d")),
      Contains("a3-highgpu-8g spot in us-central1: the window begins on 2024-05-16, but the catalogue's "
               "earliest price is of 2024-05-17"));
  CHECK(error_of(moving("2024-05-17", "10d")).empty());
  std::vector<Override> warm = moving("2024-05-17", "10d");
  warm.push_back({"/warm_up", "1h"});
  CHECK(error_of(warm).empty());  // nothing before the window is paid
  std::vector<Override> own = moving("2024-05-16", "10d");
  own.push_back({"/prices", R"([{"model": "spot", "usd_per_hour": 50}])"});
  CHECK(with(own).world.price_lines.at(0).steps.at(0).contracted == MachineHourPrice{50'000'000'000});
}

TEST_CASE("A commitment keeps the price of the first day", "[scenario]") {
  std::vector<Override> overrides = moving("2026-07-30", "10d");
  overrides[3] = {"/reservations",
                  R"([{"name": "r", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 1,
                       "commitment": "1y"}])"};
  const auto lines = with(overrides).world.price_lines;
  const auto held = std::ranges::find(lines, Charge::held, &PriceLine::charge);
  REQUIRE(held != lines.end());
  CHECK(held->steps.size() == 1);
  CHECK(held->as_of == "2026-07-30");
}

TEST_CASE("A resize request is one of at most 100", "[scenario]") {
  CHECK(policy(R"({"model": "flex_start_mig"})").open_max == 100);
  CHECK(policy(R"({"model": "flex_start_mig", "open_max": 0})").open_max == 0);
  CHECK(policy(R"({"model": "flex_start"})").open_max == 0);
  CHECK(policy(R"({"model": "flex_start", "open_max": 7})").open_max == 7);
  CHECK_THAT(leg_error(R"({"model": "on_demand", "open_max": 7})"),
             Contains("open_max: cannot be combined with model \"on_demand\""));
  CHECK_THAT(leg_error(R"({"model": "reservation", "reservation": "held", "open_max": 7})"),
             Contains("open_max: cannot be combined with model \"reservation\": only requests that wait at "
                      "the provider"));
  CHECK_THAT(leg_error(R"({"model": "flex_start", "open_max": -1})"),
             Contains("open_max: must be at least 0"));
}

TEST_CASE("A job that needs more requests than may be open is refused by the reader", "[scenario]") {
  const Override pools{"/pools",
                       R"([{"name": "one", "family": "generic", "place": "generic", "gpus": 8},
          {"name": "other", "family": "generic", "place": "generic", "gpus": 8}])"};
  CHECK_THAT(error_of({pools, {"/strategies/0/legs/0", R"({"model": "flex_start", "open_max": 1})"}}),
             Contains("a job would ask in 2 places at once, but flex_start has at most 1 request open"));
  CHECK_THAT(
      error_of({{"/strategies/0/legs",
                 R"([{"model": "flex_start", "limit": "1h", "open_max": 5}, {"model": "flex_start"}])"}}),
      Contains("\"open_max\" is 0 here and 5 in another leg of flex_start"));
}

TEST_CASE("Who goes first in a pool is an assumption by name", "[scenario]") {
  const Scenario scenario =
      with({{"/pools/0/flex_before_on_demand", "true"}, {"/pools/0/hold_for_head", "true"}});
  CHECK(scenario.world.pools[0].flex_before_on_demand);
  CHECK(scenario.world.pools[0].hold_for_head);
  CHECK(mentions(scenario.assumptions, "zone: waiting flex requests go before on-demand ones"));
  CHECK(mentions(scenario.assumptions, "zone: free room gathers for the first waiting flex request"));
  CHECK_FALSE(mentions(with({}).assumptions, "flex requests"));
}
