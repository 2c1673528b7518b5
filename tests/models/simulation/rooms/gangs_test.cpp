// Machines of partial leases: how many are granted, gathered, given and lost.

#include <catch2/catch.hpp>

#include "models/simulation/lives/gangs.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

// Gangs of 8 machines of one GPU of which 4 will do, gathered for a minute.
World partial_world(SimDuration gather = 60s) {
  WorldBuilder make;
  const PoolId pool = make.pool(16);
  make.shape(8);
  make.leg({.policy = spot(),
            .places = {pool},
            .partial = Partial{.gather = gather, .interval = gather / 4},
            .least = 4});
  return make.build();
}

struct Gathering : UpToLives {
  explicit Gathering(std::int64_t machines, SimDuration gather = 60s)
      : UpToLives{partial_world(gather)},
        job_slot{add_job({.work = 80s, .gpus = 8})},
        slot{enter_lease(job_slot, 0, GpuCount{machines})} {}
  /// All machines that it has are up now.
  void start() {
    (void)lives.gangs.start_batch(lease(slot), lease(slot).gpus, now());
    lease(slot).times.up = lives.gangs.start(lease(slot)).up;
    lives.gangs.join(lease(slot));
  }
  JobSlot job_slot;
  LeaseSlot slot;
};

}  // namespace

TEST_CASE("A request is granted what fits: all of it, or enough machines of a partial leg", "[rooms]") {
  const auto granted = [](const World& world, std::int64_t room) {
    const Leg& leg = world.strategies[0].legs[0];
    return grantable_gpus({.candidate = &leg.candidates[0][0], .leg = &leg}, GpuCount{room}).count();
  };
  World whole = partial_world();
  whole.strategies[0].legs[0].partial.reset();
  CHECK(granted(whole, 7) == 0);
  CHECK(granted(whole, 8) == 8);
  const World at_one_instant = partial_world(0s);
  CHECK(granted(at_one_instant, 3) == 0);
  CHECK(granted(at_one_instant, 5) == 5);
  CHECK(granted(at_one_instant, 20) == 8);
  const World gathers = partial_world(60s);
  CHECK(granted(gathers, 0) == 0);
  CHECK(granted(gathers, 3) == 3);
}

TEST_CASE("A gang asks for what it lacks until it is complete", "[rooms]") {
  Gathering floors{3};
  Gangs& gangs = floors.lives.gangs;
  CHECK(floors.next_time() == 15s);
  CHECK(floors.next(Phase::timers).kind == EventKind::gather);
  CHECK(gangs.machines_for(floors.lease(floors.slot), GpuCount{2}) == 2);
  CHECK(gangs.machines_for(floors.lease(floors.slot), GpuCount{9}) == 5);
  CHECK(gangs.grow(floors.slot, 2) == GpuCount{2});
  gangs.set_step(floors.slot);
  CHECK(floors.next_time() == 30s);
  (void)gangs.grow(floors.slot, 3);
  CHECK(floors.next_time() == kForever);  // it asks no more
  CHECK_FALSE(gangs.is_ready(floors.lease(floors.slot)));
  (void)gangs.start_batch(floors.lease(floors.slot), GpuCount{8}, floors.now());
  CHECK(gangs.is_ready(floors.lease(floors.slot)));
}

TEST_CASE("The last asking of a gang is at the end of its time", "[rooms]") {
  Gathering floors{3};
  floors.go_to(50s);
  floors.lives.gangs.cancel_step(floors.lease(floors.slot));
  floors.lives.gangs.set_step(floors.slot);
  CHECK(floors.lives.gangs.state(floors.lease(floors.slot)) == Gangs::Gathering::goes_on);
  CHECK(floors.next_time() == 60s);
  floors.go_to(60s);
  CHECK(floors.lives.gangs.state(floors.lease(floors.slot)) == Gangs::Gathering::has_too_few);
  (void)floors.lives.gangs.grow(floors.slot, 1);
  CHECK(floors.lives.gangs.state(floors.lease(floors.slot)) == Gangs::Gathering::has_enough);
}

TEST_CASE("A gang starts as one, as fast as its machines are many", "[rooms]") {
  Gathering floors{6};
  Gangs& gangs = floors.lives.gangs;
  floors.go_to(20s);
  gangs.complete(floors.slot);
  (void)gangs.start_batch(floors.lease(floors.slot), GpuCount{4}, kStart + 30s);
  CHECK_FALSE(gangs.is_ready(floors.lease(floors.slot)));
  const Gangs::Batch last = gangs.start_batch(floors.lease(floors.slot), GpuCount{2}, kStart + 40s);
  CHECK(last.first == 4);
  CHECK(last.end == 6);
  REQUIRE(gangs.is_ready(floors.lease(floors.slot)));
  CHECK(gangs.start(floors.lease(floors.slot)).up == kStart + 40s);
  gangs.join(floors.lease(floors.slot));
  CHECK(gangs.rate_of(floors.lease(floors.slot)) == 750'000);
}

TEST_CASE("A gang gives machines as long as enough are left to it, else all", "[rooms]") {
  Gathering floors{8};
  const auto gift = [&](std::int64_t need) {
    return floors.lives.gangs.gift_of(floors.lease(floors.slot), GpuCount{need}).count();
  };
  CHECK(gift(1) == 8);  // it has not started
  floors.start();
  CHECK(gift(1) == 1);
  CHECK(gift(4) == 4);
  CHECK(gift(5) == 8);
  floors.known.books.part_leaves(floors.slot, GpuCount{2}, floors.now());
  CHECK(gift(2) == 2);
  CHECK(gift(3) == 6);
}

TEST_CASE("The machines with the highest numbers go, and the gang works on with the others", "[rooms]") {
  Gathering floors{8};
  floors.start();
  Gangs& gangs = floors.lives.gangs;
  floors.go_to(10s);
  gangs.mark_last(floors.lease(floors.slot), GpuCount{2});
  for (const std::size_t machine : {5U, 6U, 7U}) {
    CHECK(gangs.all_of(floors.lease(floors.slot))[machine].is_staying() == (machine == 5));
  }
  floors.known.books.part_leaves(floors.slot, GpuCount{2}, floors.now());
  floors.lease(floors.slot).times.working = kStart;
  gangs.lose_marked(floors.slot, {.kept = 6s, .lost = 4s});
  CHECK(floors.lease(floors.slot).gpus == GpuCount{6});
  CHECK(gangs.rate_of(floors.lease(floors.slot)) == 750'000);
  CHECK(floors.pool(PoolId{0}).of_class(LeaseClass::spot).preemptions == 2);
  floors.go_to(20s);
  Closed closed{.split = {}, .lost = 0s, .running = {}};
  gangs.close(floors.lease(floors.slot), 10s, closed);
  CHECK(closed.split.useful == GpuCount{8} * SimDuration{6s} + GpuCount{6} * SimDuration{10s});
  CHECK(closed.split.redone == GpuCount{8} * SimDuration{4s});
  CHECK(closed.lost == 4s);
}
