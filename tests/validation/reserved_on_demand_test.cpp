// What a week of jobs costs on reserved, on-demand and spot machines, to the printed digits of a published
// artifact. Source: figures.md F1 (GAIA, ASPLOS '24: notebook, figures 10 to 12, and an independent
// re-computation). Rules: a grid of 5 s to which arrivals and lengths are floored; in one step starts go
// before releases; a job runs wholly on reserved machines if it fits at its start, else wholly on demand;
// reserved machines are paid from 0 to the last start.

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/workload/trace.h"
#include "tests/support/shared_data.h"
#include "tests/validation/pool_world.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr MachineHourPrice kOnDemand{62'400'000};  // nano-dollars per machine-hour: 0.0624 USD
constexpr MachineHourPrice kSpot{12'480'000};
constexpr MachineHourPrice kReserved{24'960'000};  // 0.4 of on demand, paid all the time

constexpr SimDuration kShort = 2h;

struct Costs {
  double direct_usd = 0;  // on demand and spot
  double held_usd = 0;
  [[nodiscard]] double all() const { return direct_usd + held_usd; }
};

double usd(const World& world, const RunRecord& record, UsageKey key) {
  std::int64_t billed_ms = 0;
  for (const UsageHour& hour : record.usage.hours(key)) billed_ms += hour.billed.count();
  const auto price = static_cast<double>(world.price_lines[index(key.line)].steps[0].list.count()) / 1e9;
  return static_cast<double>(billed_ms) / 3.6e6 * price;
}

Costs costs_of(const World& world, const RunRecord& record) {
  Costs costs;
  for (const UsageKey key : record.usage.keys()) {
    const Charge charge = world.price_lines[index(key.line)].charge;
    if (charge == Charge::direct) costs.direct_usd += usd(world, record, key);
    if (charge == Charge::held) costs.held_usd += usd(world, record, key);
  }
  return costs;
}

/// One unlimited zone. `grid` 0: continuous time, and the usual order of ties.
World week(SimDuration grid) {
  World world = test::generic_world();
  world.grid = grid;
  world.ties = grid > 0ms ? Ties::starts_first : Ties::releases_first;
  world.hold_end = HoldEnd::last_start;
  test::add_zone_pool(world, std::nullopt, LeaseClass::on_demand, Discipline::fifo);
  return world;
}

Costs start_at_once(const Trace& trace, std::int64_t reserved, SimDuration grid) {
  World world = week(grid);
  const PriceLineId on_demand = test::add_price(world, PoolId{0}, Charge::direct, kOnDemand);
  test::add_jobs(world, test::jobs_of(world, trace, 400));
  Strategy strategy = test::make_strategy("start at once", {});
  if (reserved > 0) {
    const PoolId held = test::add_held_pool(world, PoolId{0}, reserved, Discipline::fifo);
    world.held[0].line = test::add_price(world, held, Charge::held, kReserved);
    world.held[0].sublet = test::add_price(world, held, Charge::sublet, kReserved);
    Policy policy = test::queue_policy();
    policy.held = true;
    policy.lease_class = LeaseClass::reserved;
    strategy.held = {held};
    strategy.legs.push_back(test::one_pool_leg(world, policy, held, world.held[0].sublet));
    strategy.legs.back().limit = 0ms;
  }
  strategy.legs.push_back(test::one_pool_leg(world, test::loss_policy(), PoolId{0}, on_demand));
  world.strategies = {strategy};
  return costs_of(world, simulate(world, 0, 0));
}

/// Jobs of at most two hours on spot machines that are never reclaimed, all others on demand.
Costs short_jobs_on_spot(const Trace& trace, SimDuration grid) {
  World world = week(grid);
  const PriceLineId on_demand = test::add_price(world, PoolId{0}, Charge::direct, kOnDemand);
  const PriceLineId spot = test::add_price(world, PoolId{0}, Charge::direct, kSpot);
  world.classes = {{.name = "short"}, {.name = "long"}};
  JobColumns jobs = test::jobs_of(world, trace, 400);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs.job_class[i] = jobs.work[i] <= kShort ? ClassId{0} : ClassId{1};
  }
  test::add_jobs(world, std::move(jobs));
  Policy spot_policy = test::loss_policy();
  spot_policy.lease_class = LeaseClass::spot;
  Leg short_leg = test::one_pool_leg(world, spot_policy, PoolId{0}, spot);
  short_leg.classes = {true, false};
  const Leg long_leg = test::one_pool_leg(world, test::loss_policy(), PoolId{0}, on_demand);
  world.strategies = {test::make_strategy("short jobs on spot", {short_leg, long_leg})};
  return costs_of(world, simulate(world, 0, 0));
}

struct Waited {
  double all_usd = 0;
  double mean_wait_h = 0;
};

/// Jobs wait for reserved machines, the first in order of arrival that fits: at most 6 h if they are shorter
/// than two hours, else 24 h; then they go on demand.
Waited wait_for_reserved(const Trace& trace, std::int64_t reserved, SimDuration grid) {
  World world = week(grid);
  const PriceLineId on_demand = test::add_price(world, PoolId{0}, Charge::direct, kOnDemand);
  world.classes = {{.name = "short"}, {.name = "long"}};
  JobColumns jobs = test::jobs_of(world, trace, 400);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs.job_class[i] = jobs.work[i] < kShort ? ClassId{0} : ClassId{1};
  }
  test::add_jobs(world, std::move(jobs));
  const PoolId held = test::add_held_pool(world, PoolId{0}, reserved, Discipline::first_fit);
  world.held[0].line = test::add_price(world, held, Charge::held, kReserved);
  world.held[0].sublet = test::add_price(world, held, Charge::sublet, kReserved);
  Policy policy = test::queue_policy();
  policy.held = true;
  policy.lease_class = LeaseClass::reserved;
  Leg short_leg = test::one_pool_leg(world, policy, held, world.held[0].sublet);
  Leg long_leg = short_leg;
  short_leg.limit = 6h;
  short_leg.classes = {true, false};
  long_leg.limit = 24h;
  long_leg.classes = {false, true};
  Strategy strategy = test::make_strategy(
      "wait for reserved",
      {short_leg, long_leg, test::one_pool_leg(world, test::loss_policy(), PoolId{0}, on_demand)});
  strategy.held = {held};
  world.strategies = {strategy};
  const RunRecord record = simulate(world, 0, 0);
  return {.all_usd = costs_of(world, record).all(), .mean_wait_h = test::waits_of(record).mean_s / 3600};
}

struct Row {
  std::int64_t reserved;
  double all_usd;
};

const std::vector<Row> kStartAtOnce{{3, 183.1644}, {6, 168.0979}, {9, 154.4162}, {12, 141.8876}};

std::optional<Trace> read_week() {
  const auto path = test::shared_path("traces/workloads/gaia/pai_1k.csv");
  if (!path) return std::nullopt;
  return read_trace(*path, TraceFormat::gaia_seconds);
}

}  // namespace

TEST_CASE("A week wholly on demand costs what the artifact says, to a millionth of a dollar",
          "[validation]") {
  const auto trace = read_week();
  if (!trace) return;
  CHECK(std::abs(start_at_once(*trace, 0, 5s).all() - 199.175860) <= 1e-6);
}

TEST_CASE("Starting at once on reserved machines or else on demand costs the published amounts",
          "[validation]") {
  const auto trace = read_week();
  if (!trace) return;
  for (const Row& row : kStartAtOnce) {
    CAPTURE(row.reserved);
    CHECK(std::abs(start_at_once(*trace, row.reserved, 5s).all() - row.all_usd) <= 0.5e-4 + 1e-9);
  }
  const Costs nine = start_at_once(*trace, 9, 5s);
  CHECK(std::abs(nine.direct_usd - 116.680) <= 0.5e-3 + 1e-9);
  CHECK(std::abs(nine.held_usd - 37.737) <= 0.5e-3 + 1e-9);
}

TEST_CASE("In continuous time the same strategies cost the same within half a percent", "[validation]") {
  const auto trace = read_week();
  if (!trace) return;
  CHECK(start_at_once(*trace, 0, 0ms).all() == Approx(199.175860).epsilon(0.005));
  for (const Row& row : kStartAtOnce) {
    CAPTURE(row.reserved);
    CHECK(start_at_once(*trace, row.reserved, 0ms).all() == Approx(row.all_usd).epsilon(0.005));
  }
}

TEST_CASE("Short jobs on spot and the rest on demand cost what the artifact says", "[validation]") {
  const auto trace = read_week();
  if (!trace) return;
  // 0.858983 of the cost on demand. What is short is judged by the length before it is floored to the grid.
  CHECK(std::abs(short_jobs_on_spot(*trace, 5s).all() - 171.0886) <= 0.5e-4 + 1e-9);
  CHECK(short_jobs_on_spot(*trace, 0ms).all() == Approx(171.0886).epsilon(0.005));
}

TEST_CASE("Waiting for reserved machines up to a threshold costs and waits what was computed",
          "[validation]") {
  const auto trace = read_week();
  if (!trace) return;
  struct Expected {
    std::int64_t reserved;
    double all_usd;
    double mean_wait_h;
  };
  // With 3 reserved the reference lets jobs of 4 wait in vain; here what can never fit passes on at once, so
  // that needs a pool to wait for: scenarios/gaia-reserved.json, held to its row in published_scenario_test.
  for (const Expected& row : {Expected{6, 154.1626, 10.2330}, {9, 129.876, 9.0115}, {12, 113.5957, 6.0973}}) {
    const Waited waited = wait_for_reserved(*trace, row.reserved, 5s);
    CAPTURE(row.reserved, waited.all_usd, waited.mean_wait_h);
    CHECK(waited.all_usd == Approx(row.all_usd).margin(0.001));
    CHECK(waited.mean_wait_h == Approx(row.mean_wait_h).margin(0.0005));
    CHECK(wait_for_reserved(*trace, row.reserved, 0ms).all_usd == Approx(row.all_usd).epsilon(0.005));
  }
}
