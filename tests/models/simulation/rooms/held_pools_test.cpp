// What held pools have and cost, elastic pools, and bookings: three rooms on the market's floor.

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/market/bookings.h"
#include "models/simulation/market/elastic_pools.h"
#include "models/simulation/market/held_leases.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};
const PoolId kHeld{1};

// Held pools of 4 GPUs each on a landlord of 8, where jobs ask on demand, too.
WorldBuilder held_world(std::size_t pools = 1) {
  WorldBuilder make;
  make.pool(8);
  for (std::size_t i = 0; i < pools; ++i) make.held(kPool, 4);
  for (const std::int64_t gpus : {1, 2, 6}) make.shape(gpus);
  make.leg({.policy = reservation(), .places = {kHeld}});
  make.leg({.policy = on_demand(), .places = {kPool}});
  return make;
}

// At most 4 machines, one at least; they come a minute after their grant and go when idle for an hour.
World elastic_world(std::int64_t least = 0) {
  WorldBuilder make = held_world();
  make.world.held[0].scaling =
      Scaling{.least = MachineCount{least}, .idle_after = 1h, .cold_start = {.a = 1min}};
  return make.build();
}

struct Elastic : UpToMarket {
  explicit Elastic(std::int64_t least = 0) : UpToMarket{elastic_world(least)} {}
  HeldState& state() { return pools.held.state(kHeld); }
  void ask_for(std::int64_t gpus) { ask(add_job({.work = 1h, .gpus = gpus})); }
  /// The machines that were granted start, and are there.
  void let_machines_come() {
    for (const Outcome& outcome : outcomes()) pools.elastic.start(kHeld, outcome.lease);
    for (std::size_t coming = state().elastic.coming.size(); coming > 0; --coming) {
      pools.elastic.machine_there(kHeld, next(Phase::held).lease());
    }
  }
  [[nodiscard]] GpuCount capacity() { return pool(kHeld).sources[0].capacity; }
};

WorldBuilder booked_world(const Booking& rule, std::size_t pools = 1) {
  WorldBuilder make = held_world(pools);
  for (HeldPool& held : make.world.held) {
    held.from = kStart + 1h;
    held.until = kStart + 2h;
    held.booking = rule;
  }
  return make;
}

}  // namespace

TEST_CASE("A held pool's machines are there once nobody is on them still", "[rooms]") {
  const bool is_added = GENERATE(false, true);
  WorldBuilder make = held_world();
  make.world.held[0].added_supply = is_added;
  UpToMarket floors{make.build()};
  CHECK(floors.pools.held.are_there(kHeld) == is_added);
  const LeaseSlot lease =
      floors.pools.market.lease_machines(kHeld, floors.world.held[0], MachineCount{4}, LeaseClass::reserved);
  floors.pools.held.state(kHeld).lease = lease;
  CHECK(floors.pools.held.are_there(kHeld));
  floors.lease(lease).parts.delayed = 1;
  CHECK(floors.pools.held.are_there(kHeld) == is_added);
}

TEST_CASE("Held machines are paid while they are there, and what no job leased was idle", "[rooms]") {
  UpToMarket floors{held_world().build()};
  HeldLeases& held = floors.pools.held;
  held.resize(kHeld, GpuCount{4});
  const JobSlot job = floors.add_job({.work = 1min, .gpus = 1});
  floors.start_lease(job);
  floors.lives.ends.play_release(floors.next(Phase::releases));
  floors.known.recorder.job_final(job, floors.job(job), FinalState::completed);
  floors.go_to(2min);
  held.add_span(kHeld, MachineCount{4}, kStart, floors.now());
  floors.go_to(10min);
  held.settle(kHeld);
  const UsageLedger usage = floors.known.recorder.finish(0, {}).usage;
  const UsageKey key{.line = floors.world.held[0].line};
  CHECK(usage.hours(key).at(0).used == MachineTime{4 * 120'000});
  CHECK(usage.split(key).idle == GpuCount{4} * SimDuration{2min} - GpuCount{1} * SimDuration{1min});
}

TEST_CASE("A held pool that was refused asks again after its interval", "[rooms]") {
  UpToMarket floors{held_world().build()};
  floors.pools.held.ask_again(kHeld);
  CHECK(floors.next(Phase::held).kind == EventKind::held_asks);
  CHECK(floors.now() == kStart + 1h);
}

TEST_CASE("An elastic pool asks for machines as requests wait, up to the most it may have", "[rooms]") {
  Elastic floors;
  CHECK_FALSE(floors.pools.elastic.mind(kHeld));
  floors.ask_for(2);
  REQUIRE(floors.pools.elastic.mind(kHeld));
  CHECK_FALSE(floors.pools.elastic.mind(kHeld));  // it has asked
  floors.ask_for(1);
  floors.pools.elastic.grow(kHeld);
  CHECK(floors.state().elastic.coming.size() == 3);
  CHECK(floors.capacity() == GpuCount{0});
  CHECK_FALSE(floors.pools.elastic.mind(kHeld));  // enough are coming
  floors.let_machines_come();
  CHECK(floors.now() == kStart + 1min);
  CHECK(floors.capacity() == GpuCount{3});
  CHECK(floors.state().since == kStart + 1min);
  floors.ask_for(2);
  floors.ask_for(2);
  REQUIRE(floors.pools.elastic.mind(kHeld));
  floors.pools.elastic.grow(kHeld);
  CHECK(floors.state().elastic.machines() == 4);
}

TEST_CASE("An elastic pool takes what its parent pool has, and asks again for the rest", "[rooms]") {
  Elastic floors;
  floors.start_lease(floors.add_job({.work = 9h, .gpus = 6}), 1);
  for (int i = 0; i < 3; ++i) floors.ask_for(1);
  REQUIRE(floors.pools.elastic.mind(kHeld));
  floors.pools.elastic.grow(kHeld);
  CHECK(floors.state().elastic.coming.size() == 2);
  CHECK(floors.state().elastic.asking);
  floors.let_machines_come();
  CHECK(floors.next(Phase::held).kind == EventKind::held_asks);
}

TEST_CASE("An elastic pool gives back what was idle for long, down to the least", "[rooms]") {
  Elastic floors{1};
  floors.ask_for(2);
  REQUIRE(floors.pools.elastic.mind(kHeld));
  floors.pools.elastic.grow(kHeld);
  floors.let_machines_come();
  floors.lives.requests.empty_queue(kHeld);
  CHECK_FALSE(floors.pools.elastic.mind(kHeld));
  CHECK(floors.next(Phase::held).kind == EventKind::held_idle);
  CHECK(floors.now() == kStart + 1min + 1h);
  (void)floors.take_touched();
  CHECK_FALSE(floors.pools.elastic.mind(kHeld));
  CHECK(floors.capacity() == GpuCount{1});
  CHECK(floors.pool(kPool).room(LeaseClass::on_demand) == GpuCount{7});
  CHECK(floors.take_touched() == std::vector{kPool});
  REQUIRE(floors.state().spans.size() == 1);
  CHECK(floors.state().spans[0].until - floors.state().spans[0].since == 1h);
}

TEST_CASE("An elastic pool that is over gives back what is there and what is coming", "[rooms]") {
  Elastic floors;
  floors.ask_for(1);
  REQUIRE(floors.pools.elastic.mind(kHeld));
  floors.pools.elastic.grow(kHeld);
  floors.let_machines_come();
  floors.ask_for(2);
  REQUIRE(floors.pools.elastic.mind(kHeld));
  floors.pools.elastic.grow(kHeld);
  REQUIRE(floors.state().elastic.coming.size() == 2);
  floors.pools.elastic.give_all_back(kHeld);
  CHECK(floors.state().elastic.machines() == 0);
  CHECK(floors.capacity() == GpuCount{0});
  CHECK(floors.pool(kPool).sources[0].leased == GpuCount{0});
}

TEST_CASE("No more is promised away at any time than may be booked", "[rooms]") {
  const std::int32_t share = GENERATE(1'000'000, 999'999);
  UpToMarket floors{booked_world({.bookable_ppm = share}, 2).build()};
  CHECK(floors.pools.bookings.accepts(kHeld));
  floors.pools.held.state(kHeld).accepted = true;
  CHECK(floors.pools.bookings.accepts(PoolId{2}) == (share == 1'000'000));
}

TEST_CASE("Bookings whose windows do not meet do not count against one another", "[rooms]") {
  WorldBuilder make = booked_world({.bookable_ppm = 500'000}, 2);
  const bool meets = GENERATE(true, false);
  make.world.held[1].from = kStart + 2h - (meets ? SimDuration{1} : SimDuration{0});
  make.world.held[1].until = kStart + 3h;
  UpToMarket floors{make.build()};
  floors.pools.held.state(PoolId{2}).accepted = true;
  CHECK(floors.pools.bookings.accepts(kHeld) == !meets);
}

TEST_CASE("A booking gathers freed machines, and takes them when all are free", "[rooms]") {
  UpToMarket floors{booked_world({.gather = 10min}).build()};
  Bookings& bookings = floors.pools.bookings;
  const JobSlot job = floors.add_job({.work = 5min, .gpus = 6});
  floors.start_lease(job, 1);
  bookings.gather_for(kHeld);
  PoolState& landlord = floors.pool(kPool);
  CHECK(landlord.room(LeaseClass::on_demand) == GpuCount{-2});
  bookings.serve(landlord, floors.now());
  CHECK(floors.pools.held.state(kHeld).lease == kNoLease);
  floors.lives.ends.play_release(floors.next(Phase::releases));
  (void)floors.outcomes();
  CHECK(landlord.room(LeaseClass::on_demand) == GpuCount{4});
  bookings.serve(landlord, floors.now());
  CHECK(floors.pools.held.state(kHeld).lease != kNoLease);
  CHECK(floors.only_outcome().kind == Outcome::Kind::machines_free);
  CHECK(landlord.claims.gathering.empty());
  CHECK(landlord.room(LeaseClass::on_demand) == GpuCount{4});
}

TEST_CASE("A booking that gathers no more leaves the room to others", "[rooms]") {
  UpToMarket floors{booked_world({}).build()};
  floors.pools.bookings.gather_for(kHeld);
  floors.pools.bookings.stop_gathering(kHeld);
  floors.pools.bookings.stop_gathering(kHeld);
  CHECK(floors.pool(kPool).room(LeaseClass::on_demand) == GpuCount{8});
  floors.pools.bookings.serve(floors.pool(kPool), floors.now());
  CHECK(floors.pools.held.state(kHeld).lease == kNoLease);
}
