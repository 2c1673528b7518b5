// Both sides of every book agree, or the run is stopped: each check is seen to find what it is for.

#include <catch2/catch.hpp>

#include "models/simulation/books/books.h"
#include "models/simulation/books/ledger_checks.h"
#include "models/simulation/books/pool_checks.h"
#include "sim/core/check.h"
#include "tests/support/worlds/world_builder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

// A pool with a source for reserved and on-demand and another for flex and spot.
World two_sources() {
  WorldBuilder make;
  const PoolId pool = make.pool(4);
  make.leg({.policy = on_demand(), .places = {pool}});
  World world = make.build();
  CapacitySource second = world.pools[0].capacity[0];
  world.pools[0].capacity[0].classes = {true, true, false, false};
  second.classes = {false, false, true, true};
  world.pools[0].capacity.push_back(second);
  return world;
}

constexpr UsageKey kKey{.line = PriceLineId{0}, .user = UserId{0}, .job_class = ClassId{0}};

}  // namespace

TEST_CASE("Free capacity is kept for every capacity source", "[books]") {
  const World world = two_sources();
  Books books{world, world.strategies[0]};
  for (std::size_t source = 0; source < 2; ++source) books.resize(PoolId{0}, source, GpuCount{4}, kStart);
  const LeaseSlot lease = books.grant({.pool = PoolId{0},
                                       .lease_class = LeaseClass::spot,
                                       .gpus = GpuCount{3},
                                       .times = {.granted = kStart + 1s}});
  books.release(lease, kStart + 11s, GpuCount{3} * SimDuration{10s});
  CHECK_NOTHROW(check_balance(books, kStart + 20s));
  SourceState& second = books.pool(PoolId{0}).sources[1];
  CHECK(second.free_area.total(kStart + 20s) == 4 * 20'000 - 3 * 10'000);
  second.free_area.add(1, kStart + 20s);
  CHECK_THROWS_WITH(check_balance(books, kStart + 21s), Catch::Contains("source 1: capacity"));
}

TEST_CASE("What is billed on top of use is what the billing rule rounded up", "[books]") {
  UsageLedger usage{1, 1, 1};
  usage.add(kKey, MachineCount{2}, kStart, kStart + 20s, MachineTime{80'000});
  usage.add(kKey, MachineCount{1}, kStart, kStart + 1h, MachineTime{7});  // in the hour after
  CHECK_NOTHROW(check_rounding(usage, MachineTime{80'007}));
  CHECK_THROWS_AS(check_rounding(usage, MachineTime{80'000}), InvariantError);
}

TEST_CASE("What is booked as sublet is what the held pool saw leased", "[books]") {
  UsageLedger usage{2, 1, 1};
  usage.add_split(kKey, {.useful = GpuTime{5}, .overhead = GpuTime{2}, .unused = GpuTime{1}});
  usage.add_split({.line = PriceLineId{1}, .user = UserId{0}, .job_class = ClassId{0}},
                  {.useful = GpuTime{9}});
  const std::vector first{PriceLineId{0}};
  const std::vector both{PriceLineId{0}, PriceLineId{1}};
  CHECK_NOTHROW(check_sublet(usage, first, GpuTime{8}));
  CHECK_THROWS_AS(check_sublet(usage, first, GpuTime{9}), InvariantError);
  CHECK_NOTHROW(check_sublet(usage, both, GpuTime{17}));
}
