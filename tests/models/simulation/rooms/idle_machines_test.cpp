// Machines of held pools that no job has.

#include <catch2/catch.hpp>

#include "models/simulation/market/idle_machines.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kHeld{1};

struct Idle : UpToMarket {
  explicit Idle(const Law& life) : UpToMarket{world_of(life)}, idle{pools.idle} {
    pools.held.resize(kHeld, GpuCount{4});
  }
  static World world_of(const Law& life) {
    WorldBuilder make;
    const PoolId held = make.held(make.pool(8), 4);
    make.world.held[0].pool.faults = {{.name = "fault", .life = life, .repair = {.a = 10s}}};
    make.leg({.policy = reservation(), .places = {held}});
    return make.build();
  }
  [[nodiscard]] GpuCount capacity() { return pool(kHeld).sources.front().capacity; }
  IdleMachines& idle;
};

}  // namespace

TEST_CASE("A free machine breaks after its life, and is there again after its repair", "[rooms]") {
  Idle floors{{.a = 60s}};
  floors.idle.review(kHeld);
  floors.idle.review(kHeld);  // nothing has changed
  for (int left = 3; left >= 0; --left) {
    const Event event = floors.next(Phase::lifetimes);
    CHECK(event.kind == EventKind::idle_fault);
    CHECK(floors.now() == kStart + 60s);
    floors.idle.play_fault(event);
    CHECK(floors.capacity() == GpuCount{left});
  }
  floors.idle.review(kHeld);
  CHECK(floors.next(Phase::repairs).kind == EventKind::repaired);
  CHECK(floors.now() == kStart + 70s);
}

TEST_CASE("What is leased, or given back, is not idle any more", "[rooms]") {
  Idle floors{{.a = 60s}};
  floors.idle.review(kHeld);
  floors.pools.held.resize(kHeld, GpuCount{1});
  floors.idle.review(kHeld);
  floors.idle.play_fault(floors.next(Phase::lifetimes));
  CHECK(floors.next(Phase::repairs).kind == EventKind::repaired);
  floors.pools.held.resize(kHeld, GpuCount{4});
  floors.idle.review(kHeld);
  floors.idle.clear(kHeld);
  CHECK(floors.next_time() == kForever);
}

TEST_CASE("The earlier of two faults counts, and machines that never break set nothing", "[rooms]") {
  Idle never{{.a = kForever}};
  never.idle.review(kHeld);
  CHECK(never.next_time() == kForever);
}
