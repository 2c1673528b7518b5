// How held pools come and go: they ask the market as a job does, and hear what became of it.

#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/desk/holdings.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};
const PoolId kHeld{1};

// 4 GPUs held of a landlord of 8, from 10 s on; leg 0 is served from them.
WorldBuilder held_world(std::size_t pools = 1) {
  WorldBuilder make;
  make.pool(8);
  for (std::size_t i = 0; i < pools; ++i) make.held(kPool, 4, 10s);
  for (const std::int64_t gpus : {4, 6}) make.shape(gpus);
  make.leg({.policy = reservation(), .places = {kHeld}});
  make.leg({.policy = on_demand(), .places = {kPool}});
  return make;
}

struct Held : UpToDesk {
  explicit Held(const WorldBuilder& make) : UpToDesk{make.build()}, holdings{desks.holdings} {
    for (const PoolId id : world.strategies[0].held) holdings.begin(id);
  }
  /// Plays all that is due for held pools at the next instant.
  void play_due() {
    go_to(next_time());
    ground.agenda.begin_round(10);
    while (holdings.play_next()) {
    }
  }
  /// A dispatch of the landlord, in which held pools hear what became of them.
  void serve_landlord() {
    pools.market.begin_dispatch(kPool);
    while (pools.market.decide()) hear();
  }
  void hear() {
    for (Outcome outcome; ground.outcomes.take(outcome);) holdings.hear(outcome);
  }
  [[nodiscard]] GpuCount capacity(PoolId id = kHeld) { return pool(id).sources[0].capacity; }
  Holdings& holdings;
};

}  // namespace

TEST_CASE("A reservation takes its turn in its parent pool's dispatch, and opens", "[rooms]") {
  Held floors{held_world()};
  floors.play_due();
  CHECK(floors.now() == kStart + 10s);
  CHECK(floors.capacity() == GpuCount{0});
  CHECK(floors.take_touched() == std::vector{kPool});
  floors.serve_landlord();
  CHECK(floors.capacity() == GpuCount{4});
  CHECK(floors.pools.held.state(kHeld).since == kStart + 10s);
  CHECK(floors.pool(kPool).room(LeaseClass::on_demand) == GpuCount{4});
  CHECK(floors.take_touched() == std::vector{kHeld});
}

TEST_CASE("A reservation that finds no room asks again later", "[rooms]") {
  Held floors{held_world()};
  floors.start_lease(floors.add_job({.work = 30min, .gpus = 6}), 1);
  floors.play_due();
  floors.serve_landlord();
  CHECK(floors.capacity() == GpuCount{0});
  floors.lives.ends.play_release(floors.next(Phase::releases));
  (void)floors.outcomes();
  floors.play_due();
  CHECK(floors.now() == kStart + 10s + 1h);
  floors.serve_landlord();
  CHECK(floors.capacity() == GpuCount{4});
}

TEST_CASE("Added supply opens without its parent pool", "[rooms]") {
  WorldBuilder make = held_world();
  make.world.held[0].added_supply = true;
  Held floors{make};
  floors.play_due();
  CHECK(floors.capacity() == GpuCount{4});
  CHECK(floors.pool(kPool).room(LeaseClass::on_demand) == GpuCount{8});
}

TEST_CASE("What is due at one instant is due by pool, then by kind", "[rooms]") {
  Held floors{held_world(2)};
  floors.play_due();
  CHECK(floors.pool(kPool).claims.to_create == std::vector{kHeld, PoolId{2}});
  floors.pools.held.set(kStart + 20s, EventKind::held_asks, kHeld);
  floors.pools.held.set(kStart + 20s, EventKind::held_until, kHeld);
  floors.play_due();
  CHECK(floors.pool(kPool).claims.to_create.size() == 2);  // its end came first
}

TEST_CASE("At its end a held pool gives all back, and those who wait there have lost", "[rooms]") {
  WorldBuilder make = held_world();
  make.world.held[0].until = kStart + 1min;
  Held floors{make};
  floors.play_due();
  floors.serve_landlord();
  const JobSlot job = floors.add_job({.work = 1h, .gpus = 4});
  floors.ask(job);
  (void)floors.take_touched();
  floors.play_due();
  CHECK(floors.now() == kStart + 1min);
  CHECK(floors.only_outcome().kind == Outcome::Kind::lost);
  CHECK(floors.job(job).asks.first_request == kNoRequest);
  CHECK(floors.capacity() == GpuCount{0});
  CHECK(floors.pool(kPool).room(LeaseClass::on_demand) == GpuCount{8});
  CHECK(floors.take_touched() == std::vector{kPool, kHeld});
  CHECK(floors.known.route.is_over(kHeld));
  const HeldState& held = floors.pools.held.state(kHeld);
  REQUIRE(held.spans.size() == 1);
  CHECK(held.spans[0].machines == MachineCount{4});
  CHECK(held.spans[0].until - held.spans[0].since == 50s);
}

TEST_CASE("A booking is decided, gathers its machines, and opens when its window begins", "[rooms]") {
  WorldBuilder make = held_world();
  make.world.held[0].booking = Booking{.decided = kStart + 1s, .gather = 5s};
  Held floors{make};
  floors.play_due();
  CHECK(floors.now() == kStart + 1s);
  CHECK(floors.pools.held.state(kHeld).accepted);
  floors.play_due();
  CHECK(floors.now() == kStart + 5s);
  CHECK(floors.pool(kPool).claims.gathering == std::vector{kHeld});
  floors.serve_landlord();
  CHECK(floors.pools.held.state(kHeld).lease != kNoLease);
  CHECK(floors.capacity() == GpuCount{0});
  floors.play_due();
  CHECK(floors.now() == kStart + 10s);
  CHECK(floors.capacity() == GpuCount{4});
}

TEST_CASE("A booking that is refused is over, and those who wait there have lost", "[rooms]") {
  WorldBuilder make = held_world();
  make.world.held[0].booking = Booking{.decided = kStart + 1s, .accept_ppm = 0};
  make.world.held[0].until = kStart + 1h;
  Held floors{make};
  floors.ask(floors.add_job({.gpus = 4}));
  floors.play_due();
  CHECK(floors.only_outcome().kind == Outcome::Kind::lost);
  CHECK(floors.known.route.is_over(kHeld));
  CHECK(floors.next_time() == kForever);
}

TEST_CASE("An elastic pool minds its machines after each dispatch of its own", "[rooms]") {
  WorldBuilder make = held_world();
  make.world.held[0].scaling = Scaling{.idle_after = 1h, .cold_start = {.a = 5s}};
  Held floors{make};
  floors.play_due();
  floors.ask(floors.add_job({.gpus = 4}));
  (void)floors.take_touched();
  floors.pools.market.begin_dispatch(kHeld);
  while (floors.pools.market.decide()) floors.hear();
  CHECK(floors.take_touched() == std::vector{kPool});
  floors.serve_landlord();
  CHECK(floors.pools.held.state(kHeld).elastic.coming.size() == 4);
  floors.play_due();
  CHECK(floors.now() == kStart + 15s);
  CHECK(floors.capacity() == GpuCount{4});
}

TEST_CASE("When the run ends all that is held goes back and is paid", "[rooms]") {
  Held floors{held_world()};
  floors.play_due();
  floors.serve_landlord();
  floors.go_to(1min);
  floors.holdings.close_all(floors.world.strategies[0].held);
  CHECK(floors.capacity() == GpuCount{0});
  CHECK(floors.pool(kPool).sources[0].leased == GpuCount{0});
  const RunRecord record = floors.known.recorder.finish(0, {});
  CHECK(record.held_since == std::vector{kStart + 10s});
  CHECK(record.usage.hours({.line = floors.world.held[0].line}).at(0).used == MachineTime{4 * 50'000});
}
