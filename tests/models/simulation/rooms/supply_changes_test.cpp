// Capacity over time, and machines that come back from repair.

#include <catch2/catch.hpp>

#include "models/simulation/market/supply_changes.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};

// 8 GPUs, from 10 s on so many; leg 0 is spot with a long notice, leg 1 on demand.
World steps_to(std::int64_t gpus, std::int64_t at_first = 8) {
  WorldBuilder make;
  make.pool(at_first);
  make.step(kPool, 10s, gpus);
  make.shape(4);
  Policy weak = spot();
  weak.notice = 1min;
  make.leg({.policy = weak, .places = {kPool}});
  make.leg({.policy = on_demand(), .places = {kPool}});
  return make.build();
}

struct Opened : UpToMarket {
  explicit Opened(const World& made) : UpToMarket{made} { pools.supply.open(known.draws.random()); }
  LeaseSlot lease_in(std::size_t leg) { return start_lease(add_job({.work = 1h, .gpus = 4}), leg); }
  void step() { pools.supply.play_step(next(Phase::capacity)); }
};

}  // namespace

TEST_CASE("A pool has what its steps say, each from its time on", "[rooms]") {
  Opened floors{steps_to(5)};
  CHECK(floors.pool(kPool).sources[0].capacity == GpuCount{8});
  CHECK(floors.take_touched() == std::vector{kPool});
  floors.step();
  CHECK(floors.now() == kStart + 10s);
  CHECK(floors.pool(kPool).sources[0].capacity == GpuCount{5});
  CHECK(floors.take_touched() == std::vector{kPool});
  CHECK(floors.next_time() == kForever);
}

TEST_CASE("A fall of capacity preempts spot leases, and no stronger ones", "[rooms]") {
  const std::int64_t left = GENERATE(4, 0);
  Opened floors{steps_to(left)};
  const LeaseSlot weak = floors.lease_in(0);
  const LeaseSlot strong = floors.lease_in(1);
  floors.step();
  CHECK(floors.lease(weak).ending.leaving);
  CHECK_FALSE(floors.lease(strong).ending.leaving);
  CHECK(floors.pool(kPool).sources[0].shortage_area.level() == 4 - left);
}

TEST_CASE("A rise of capacity starts those who wait for machines that were still taken", "[rooms]") {
  Opened floors{steps_to(8, 4)};
  const LeaseSlot weak = floors.lease_in(0);
  floors.lives.leases.take(weak);
  const LeaseSlot strong = floors.enter_lease(floors.add_job({.work = 1h, .gpus = 4}), 1);
  REQUIRE(floors.known.books.delayed().add_if_taken(floors.pool(kPool), strong, GpuCount{4}));
  floors.step();
  CHECK(floors.lease(strong).parts.delayed == 0);
  CHECK(floors.lease(strong).times.up == kStart + 10s);
}

TEST_CASE("A machine that is repaired is there again, and its pool is dispatched", "[rooms]") {
  World world = steps_to(8);
  world.pools[0].faults = {{.name = "fault", .life = {.a = 2s}, .repair = {.a = 3s}}};
  Opened floors{world};
  floors.lease_in(1);
  floors.lives.leases.play_fate(floors.next(Phase::lifetimes));
  floors.lives.ends.play_release(floors.next(Phase::releases));
  CHECK(floors.pool(kPool).sources[0].capacity == GpuCount{7});
  (void)floors.take_touched();
  floors.pools.supply.play_repair(floors.next(Phase::repairs));
  CHECK(floors.now() == kStart + 5s);
  CHECK(floors.pool(kPool).sources[0].capacity == GpuCount{8});
  CHECK(floors.take_touched() == std::vector{kPool});
}
