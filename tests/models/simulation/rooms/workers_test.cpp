// When workers exit, and how often each was started again on its machine.

#include <catch2/catch.hpp>

#include "models/simulation/lives/workers.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};

World exiting(const WorkerExits& exits, Tries restarts) {
  WorldBuilder make;
  make.pool(8);
  make.shape(4);
  make.world.classes[0].exits = exits;
  Policy row = on_demand();
  row.worker_restarts = restarts;
  make.leg({.policy = row, .places = {kPool}});
  return make.build();
}

// A lease of four machines whose work begins at ten seconds, and the room.
struct AtWork : UpToLives {
  explicit AtWork(const World& made)
      : UpToLives{made},
        workers{world, ground.tables, ground.agenda, known.books, known.draws, lives.gangs, lives.spreads},
        slot{enter_lease(add_job({.work = 1h, .gpus = 4}))} {
    lease(slot).times.working = kStart + 10s;
    workers.set(slot);
  }
  Workers workers;
  LeaseSlot slot;
};

using Need = Workers::Need;

}  // namespace

TEST_CASE("The first worker to exit is set, and set anew with the begin of work", "[rooms]") {
  AtWork floors{exiting({.after = {.a = 30s}}, 1)};
  CHECK(floors.next_time() == 40s);
  floors.lease(floors.slot).times.working = kStart + 15s;
  floors.workers.set(floors.slot);
  CHECK(floors.next_time() == 45s);
  CHECK(floors.next(Phase::lifetimes).kind == EventKind::worker_exits);
  CHECK(floors.workers.exit(floors.slot) == Need::restart);
  CHECK(floors.workers.exit(floors.slot) == Need::new_attempt);
}

TEST_CASE("Without a begin of work, and after the end of the lease, no worker exits", "[rooms]") {
  AtWork floors{exiting({.after = {.a = 30s}}, kUnlimited)};
  floors.lease(floors.slot).times.working = kNever;
  floors.workers.set(floors.slot);
  CHECK(floors.next_time() == kForever);
  floors.lease(floors.slot).times.working = kStart + 20s;
  floors.workers.set(floors.slot);
  CHECK(floors.next_time() == 50s);
  floors.workers.forget(floors.slot);
  CHECK(floors.next_time() == kForever);
}

TEST_CASE("A worker that exits for good is not started again, and none exits at once", "[rooms]") {
  AtWork floors{exiting({.after = {.a = 1ms}, .permanent_ppm = 1'000'000}, kUnlimited)};
  CHECK(floors.next_time() == 11s);
  CHECK(floors.workers.exit(floors.slot) == Need::none);
}

TEST_CASE("Of workers only a share exits", "[rooms]") {
  int exits = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    World world = exiting({.after = {.a = 30s}, .share_ppm = 200'000}, kUnlimited);
    world.seed = seed;
    AtWork floors{world};
    exits += floors.next_time() == 40s ? 1 : 0;
  }
  // 1 - 0.8^4 of the leases of four, 118 of 200, with a standard deviation of 7.
  CHECK(exits > 90);
  CHECK(exits < 146);
}
