// Jobs whose own code fails (models/simulation/README.md, section 8). Times in seconds. A worker runs for 30
// or 50 s, then it exits.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

Policy restarting(Policy row, Tries workers, Tries attempts) {
  row.worker_restarts = workers;
  row.exit_restarts = attempts;
  return row;
}

/// A pool of so many GPUs, each a machine of its own, for jobs whose workers exit.
WorldBuilder exiting_after(SimDuration after, const Policy& row, std::int64_t gpus = 8) {
  WorldBuilder make;
  make.world.classes[0].exits.after = {.a = after};
  const PoolId pool = make.pool(gpus);
  make.leg({.policy = row, .places = {pool}});
  return make;
}

std::uint32_t exits_of(const Played& play, std::uint64_t job) { return play.record().jobs.at(job).exits; }

}  // namespace

TEST_CASE("A worker that exits begins again on its machine, and its gang goes on from its last checkpoint",
          "[rules]") {
  Policy row = restarting(on_demand(), 5, 0);
  row.start_up = {.a = 7s};
  WorldBuilder make = exiting_after(50s, row);
  make.world.classes[0].checkpoint_every = 20s;
  make.world.classes[0].checkpoint_cost = 1s;
  make.world.classes[0].reload = 5s;
  make.job({.at = 0s, .work = 100s, .gpus = 2});
  const Played play{make};
  // Works from 7. Exits at 57: 40 are kept and 8 lost; from 62 on it works again. Exits at 112: the same
  // again. From 117 on 20 are left, and no checkpoint is written at the end. Of two machines 137 s each.
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 7 to 137, lost 16 | completed at 137");
  CHECK(play.usage(0) == "used 274 billed 274 | useful 200 redone 32 overhead 42");
  CHECK(exits_of(play, 0) == 2);
  CHECK(play.record().jobs.at(0).preemptions == 0);
}

TEST_CASE("A job whose worker has no restart left begins another attempt, and fails in the end", "[rules]") {
  WorldBuilder make = exiting_after(30s, restarting(on_demand(), 1, 1));
  make.leg({.policy = on_demand(), .places = {PoolId{0}}});  // of no use to code that fails
  make.job({.at = 0s, .work = 100s});
  make.job({.at = 0s, .work = 20s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 60, lost 60 | leg 0 pool 0: 60 to 120, lost 60 | failed at 120");
  CHECK(exits_of(play, 0) == 4);
  CHECK(play.job(1) == "leg 0 pool 0: 0 to 20 | completed at 20");
  CHECK(exits_of(play, 1) == 0);
}

TEST_CASE("A worker that exits for good fails its job, until its user submits it again", "[rules]") {
  WorldBuilder make = exiting_after(30s, restarting(on_demand(), 5, 3));
  make.world.classes[0].exits.permanent_ppm = 1'000'000;
  make.world.strategies[0].resubmission = Resubmission{.after = 100s, .give_up_after = 200s};
  make.job({.at = 0s, .work = 100s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 30, lost 30 | leg 0 pool 0: 130 to 160, lost 30 | failed at 160");
  CHECK(exits_of(play, 0) == 2);
}

TEST_CASE("Nobody hears of a worker that exits while its machines leave", "[rules]") {
  Policy row = spot();
  row.notice = 40s;
  WorldBuilder make = exiting_after(30s, row, 1);
  make.step(PoolId{0}, 20s, 0);
  make.job({.at = 0s, .work = 100s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 60 preempted, lost 60 | refused at 60");
  CHECK(exits_of(play, 0) == 0);
}

TEST_CASE("A gang over several places loses the work of all its machines by one worker", "[rules]") {
  WorldBuilder make;
  make.world.classes[0].exits.after = {.a = 50s};
  const PoolId first = make.pool(1);
  const PoolId second = make.pool(1);
  make.leg({.policy = restarting(on_demand(), 1, 0), .places = {first, second}, .spread = Spread::any});
  make.job({.at = 0s, .work = 60s, .gpus = 2});
  const Played play{make};
  // The worker of machine 0 exits at 50, again at 100, and then the job fails.
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 100, lost 100 | leg 0 pool 1: 0 to 100, lost 100 | failed at 100");
  CHECK(play.record().jobs.at(0).lost == 100s);
  CHECK(play.usage(0) == "used 100 billed 100 | redone 100");
}

TEST_CASE("A gang that may lose machines goes on with those it has when a worker exits", "[rules]") {
  WorldBuilder make;
  make.world.classes[0].exits.after = {.a = 50s};
  make.world.classes[0].checkpoint_every = 40s;
  const PoolId pool = make.pool(2);
  make.step(pool, 20s, 1);
  make.leg({.policy = restarting(spot(), 5, 0), .places = {pool}, .partial = Partial{}});
  make.job({.at = 0s, .work = 60s, .gpus = 2});
  const Played play{make};
  // One machine goes at 20, and 20 of work with it: 60 are left for one machine, which takes 120. Its worker
  // exits at 70 and 120: each time 40 of those are kept. At 160 all is done.
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 160, lost 40 | completed at 160");
  CHECK(exits_of(play, 0) == 2);
}

TEST_CASE("Faults without notice may have restarts of their own, and maintenance uses none of them",
          "[rules]") {
  Policy row = on_demand();
  row.fault_restarts = 1;
  row.restarts = 0;
  SECTION("a fault") {
    WorldBuilder make;
    const PoolId pool = make.pool(4);
    make.world.pools[0].faults = {{.name = "fault", .life = {.a = 10s}, .repair = {.a = 5s}}};
    make.leg({.policy = row, .places = {pool}});
    make.job({.at = 0s, .work = 50s});
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 10 preempted, lost 10 | leg 0 pool 0: 10 to 20 preempted, lost 10 | failed at "
          "20");
  }
  SECTION("maintenance") {
    WorldBuilder make;
    const PoolId pool = make.pool(4);
    make.world.pools[0].faults = {
        {.name = "maintenance", .life = {.a = 10s}, .notice = 2s, .repair = {.a = 5s}}};
    make.leg({.policy = row, .places = {pool}});
    make.job({.at = 0s, .work = 50s});
    CHECK(Played{make}.job(0) == "leg 0 pool 0: 0 to 12 preempted, lost 12 | failed at 12");
  }
}
