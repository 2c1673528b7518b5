// A pool that is always full and whose machines break, through the whole engine: how many are broken at a
// time, against the binomial law of machines that do not know of one another. Seeds were fixed before the
// first look.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/theory/breakdowns.h"
#include "tests/validation/estimate.h"
#include "tests/validation/pool_world.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kSeed = 20'261'121;
constexpr std::size_t kReplications = 20;
constexpr std::int64_t kMachines = 8;
constexpr SimDuration kLife = 30h;
constexpr SimDuration kRepair = 10h;
constexpr SimDuration kWarmUp = 500h;  // all machines are whole at first; 50 repairs later that is forgotten
constexpr SimDuration kMeasured = 80'000h;

// As many endless jobs as machines: who loses a machine waits for the next to be repaired.
World full_pool(const FaultRule& rule) {
  World world = test::generic_world();
  world.seed = kSeed;
  world.end = RunEnd::time;
  world.window_end = kStart + kWarmUp + kMeasured;
  SyntheticDemand demand;
  demand.arrivals = ScheduledArrivals{.at = {kStart}, .count = kMachines};
  demand.shapes = {{.weight = 1, .shape = test::gang(world, 1)}};
  demand.work = {.a = 2 * (kWarmUp + kMeasured)};
  world.sources = {test::make_source("endless", demand)};
  const PoolId zone = test::add_zone_pool(world, kMachines, LeaseClass::flex, Discipline::fifo);
  world.pools[0].faults = {rule};
  const PriceLineId line = test::add_price(world, zone, Charge::direct, {});
  world.strategies = {
      test::make_strategy("queue", {test::one_pool_leg(world, test::queue_policy(), zone, line)})};
  return world;
}

// By k, the share of the measured time in which k machines are broken: those that nobody leases.
std::vector<double> broken(const World& world, std::uint64_t replication) {
  std::vector<std::pair<SimTime, int>>
      changes;  // of the number leased; those in the warm-up count at its end
  const SimTime from = kStart + kWarmUp;
  const auto log = [&](const LeaseRow& lease) {
    changes.emplace_back(std::max(lease.granted, from), 1);
    changes.emplace_back(std::max(lease.ended, from), -1);
  };
  const RunRecord record = simulate(world, 0, replication, {.on_lease = log});
  std::ranges::sort(changes);
  std::vector<double> shares(static_cast<std::size_t>(kMachines) + 1);
  std::int64_t leased = 0;
  SimTime since = from;
  for (const auto& [at, by] : changes) {
    if (at > since) {
      shares.at(static_cast<std::size_t>(kMachines - leased)) +=
          static_cast<double>((at - since).count()) / static_cast<double>(kMeasured.count());
      since = at;
    }
    leased += by;
  }
  CHECK(since == world.window_end);
  CHECK(record.pools[0].leased == record.pools[0].capacity);
  return shares;
}

// Nobody uses what is held.
World idle_pool(const FaultRule& rule) {
  World world = test::generic_world();
  world.seed = kSeed;
  world.end = RunEnd::time;
  world.begin = kStart - kWarmUp;
  world.window_end = kStart + kMeasured;
  static_cast<void>(test::gang(world, 1));
  const PoolId zone = test::add_zone_pool(world, kMachines, LeaseClass::flex, Discipline::fifo);
  const PoolId held = test::add_held_pool(world, zone, kMachines, Discipline::fifo);
  world.held[0].pool.faults = {rule};
  world.held[0].line = test::add_price(world, held, Charge::held, {});
  world.held[0].sublet = test::add_price(world, held, Charge::sublet, {});
  Policy policy = test::queue_policy();
  policy.held = true;
  policy.lease_class = LeaseClass::reserved;
  world.strategies = {
      test::make_strategy("held", {test::one_pool_leg(world, policy, held, world.held[0].sublet)})};
  world.strategies[0].held = {held};
  return world;
}

}  // namespace

TEST_CASE("Idle held machines are up as long as life and repair say", "[validation]") {
  std::vector<test::AgainstTheory> table;
  for (const Law::Kind kind : {Law::Kind::exponential, Law::Kind::constant}) {
    const World world = idle_pool({.name = "hardware",
                                   .life = {.kind = kind, .a = kLife},
                                   .notice = {},
                                   .repair = {.kind = Law::Kind::exponential, .a = kRepair}});
    std::vector<double> up;
    for (std::uint64_t replication = 0; replication < kReplications; ++replication) {
      const PoolTotals held = simulate(world, 0, replication).pools.at(1);
      up.push_back(static_cast<double>(held.capacity.count()) /
                   static_cast<double>((GpuCount{kMachines} * kMeasured).count()));
    }
    table.push_back({kind == Law::Kind::constant ? "constant life" : "exponential life", 0.75, up});
  }
  test::check_jointly(table, 0.04);
}

TEST_CASE("Machines of a full pool are broken as often as the binomial law says", "[validation]") {
  const std::vector<double> theory = machines_down(kMachines, kLife.count(), kRepair.count());
  std::vector<test::AgainstTheory> table;
  for (const Law::Kind kind : {Law::Kind::exponential, Law::Kind::constant}) {
    const FaultRule rule{.name = "hardware",
                         .life = {.kind = Law::Kind::exponential, .a = kLife},
                         .notice = {},
                         .repair = {.kind = kind, .a = kRepair}};
    std::vector<std::vector<double>> shares(theory.size());
    std::vector<double> means;
    for (std::uint64_t replication = 0; replication < kReplications; ++replication) {
      const std::vector<double> one = broken(full_pool(rule), replication);
      double mean = 0;
      for (std::size_t k = 0; k < one.size(); ++k) {
        shares[k].push_back(one[k]);
        mean += static_cast<double>(k) * one[k];
      }
      means.push_back(mean / static_cast<double>(kMachines));
    }
    const std::string law = kind == Law::Kind::constant ? ", constant repair" : ", exponential repair";
    table.push_back({"share broken" + law, 0.25, means});
    for (std::size_t k = 0; k <= 5; ++k) {
      table.push_back({std::to_string(k) + " broken" + law, theory[k], shares[k]});
    }
  }
  test::check_jointly(table, 0.04);
}
