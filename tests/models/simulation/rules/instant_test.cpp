// The order of things inside one instant (design, section 4; models/simulation/README.md, section 2).
// Times in seconds. Every world is run by both implementations.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

TEST_CASE("GPUs released at an instant are there for a job that comes at that instant", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = on_demand(), .places = {make.pool(1)}});
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 9s, .work = 5s});   // the GPU is taken until 10
  make.job({.at = 10s, .work = 5s});  // phase 1 at 10 releases it, phase 4 brings the job, phase 5 grants
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "refused at 9");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 15 | completed at 15");
}

TEST_CASE("Capacity changes before jobs that come at that instant, and after leases that end", "[rules]") {
  WorldBuilder make;
  const PoolId pool = make.pool(1);
  make.step(pool, 10s, 2);
  make.step(pool, 20s, 1);
  make.leg({.policy = on_demand(), .places = {pool}});
  make.job(
      {.at = 10s, .work = 10s, .gpus = 2});  // 2 GPUs from 10 on; ends at 20 before the fall: not reclaimed
  make.job({.at = 20s, .work = 10s, .gpus = 2});  // 1 GPU from 20 on
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(1) == "refused at 20");
}

TEST_CASE("Patience that ends at an instant ends before room of that instant is given away", "[rules]") {
  WorldBuilder make;
  const PoolId pool = make.pool(1);
  make.leg({.policy = flex(), .places = {pool}, .limit = 10s});
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 0s, .work = 5s});   // patience ends at 10: phase 3 goes before phase 5
  make.job({.at = 1ms, .work = 5s});  // patience ends at 10.001
  const Played play{make};
  CHECK(play.job(1) == "expired at 10");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 15 | completed at 15");
}

TEST_CASE("At one instant on-demand goes before what waits for flex, and spot comes last", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(4);
  const PoolId pool = make.pool(3);
  make.leg({.policy = on_demand(), .places = {pool}, .classes = {true, false, false, true}});
  make.leg({.policy = flex(), .places = {pool}, .classes = {false, true, false, false}});
  make.leg({.policy = spot(), .places = {pool}, .classes = {false, false, true, false}});
  make.job({.at = 0s, .work = 10s, .gpus = 3, .job_class = 3});
  make.job({.at = 5s, .work = 10s, .gpus = 2, .job_class = 1});   // flex: waits since 5
  make.job({.at = 10s, .work = 10s, .gpus = 1, .job_class = 2});  // spot: first of its instant
  make.job({.at = 10s, .work = 4s, .gpus = 2, .job_class = 0});   // on demand: 2 of 3 at 10
  // At 10: on demand takes 2, flex finds 1 of the 2 it needs, spot takes the last one.
  // At 14 flex finds 3 - 0 GPUs of classes other than spot: it takes 2, and 2 + 1 = 3 fit.
  const Played play{make};
  CHECK(play.job(1) == "leg 1 pool 0: 14 to 24 | completed at 24");
  CHECK(play.job(2) == "leg 2 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(3) == "leg 0 pool 0: 10 to 14 | completed at 14");
}

TEST_CASE("A lease that another's end lets begin and that ends at once ends in the next round", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId pool = make.pool(3);
  Policy slow_to_leave = spot();
  slow_to_leave.notice = 100s;
  make.tenant_leg({.policy = slow_to_leave, .places = {pool}});
  make.leg({.policy = flex(), .places = {pool}, .classes = {true, false}});
  make.leg({.policy = on_demand(), .places = {pool}, .classes = {false, true}});
  make.tenant({.at = 0s, .work = 1'000s});           // leaves from 5 to 105
  make.job({.at = 0s, .work = 10s, .gpus = 2});      // its end at 10 makes room
  make.job({.at = 5s, .work = 0s, .job_class = 1});  // granted at 5, begins when there is room
  make.job({.at = 6s, .work = 1s, .gpus = 1});       // granted in the round in which that begins
  const Played play{make};  // also with every job taken through the rooms: the same history
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 1 pool 0: 5 works 10 to 10 | completed at 10");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 11 | completed at 11");
}

TEST_CASE("A job refused at its first place asks the next one in the next round", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(3);
  const PoolId full = make.pool(1);
  const PoolId free = make.pool(1);
  make.leg({.policy = on_demand(), .places = {full}, .classes = {false, false, true}});
  make.leg({.policy = on_demand(), .places = {full, free}, .classes = {true, false, false}});
  make.leg({.policy = on_demand(), .places = {free}, .classes = {false, true, false}});
  make.job({.at = 0s, .work = 100s, .job_class = 2});
  make.job({.at = 10s, .work = 5s, .job_class = 0});  // round 1: refused in pool 0; round 2: pool 1 is taken
  make.job(
      {.at = 10s, .work = 5s, .job_class = 1});  // round 1: granted in pool 1, although its row comes later
  const Played play{make};
  CHECK(play.job(1) == "refused at 10");
  CHECK(play.job(2) == "leg 2 pool 1: 10 to 15 | completed at 15");
}

TEST_CASE("Jobs that fall through in one round go by row", "[rules]") {
  WorldBuilder make;
  const PoolId full = make.pool(1);
  const PoolId free = make.pool(1);
  make.leg({.policy = on_demand(), .places = {full, free}});
  make.job({.at = 0s, .work = 100s});
  make.job({.at = 10s, .work = 5s});
  make.job({.at = 10s, .work = 5s});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 1: 10 to 15 | completed at 15");
  CHECK(play.job(2) == "refused at 10");
}

TEST_CASE("Jobs of one instant come by source, then row", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = on_demand(), .places = {make.pool(1)}});
  make.tenant_leg({.policy = on_demand(), .places = {PoolId{0}}});
  make.tenant({.at = 10s, .work = 5s});  // source 1
  make.job({.at = 10s, .work = 5s});     // source 0
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 10 to 15 | completed at 15");
}

TEST_CASE("A job that needs no time holds its GPUs for one round", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = on_demand(), .places = {make.pool(1)}});
  make.job({.at = 10s, .work = 0s});  // granted in round 1, released in round 2
  make.job({.at = 10s, .work = 5s});  // asks in round 1
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 10 to 10 | completed at 10");
  CHECK(play.job(1) == "refused at 10");
}

TEST_CASE("A queue that is let go by a withdrawal is served in the same instant", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId first = make.pool(2, Discipline::fifo);
  const PoolId second = make.pool(4);
  make.leg({.policy = flex(), .places = {first, second}, .classes = {true, false}});
  make.leg({.policy = flex(), .places = {first}, .classes = {false, true}});
  make.job({.at = 0s, .work = 50s, .job_class = 1});  // 1 of 2 GPUs of pool 0
  make.job(
      {.at = 0s, .work = 10s, .gpus = 4, .job_class = 0});  // pool 1 until 10 (can never be held by pool 0)
  make.job({.at = 1s, .work = 9s, .gpus = 2, .job_class = 0});  // waits in both, head of pool 0's queue
  make.job({.at = 2s, .work = 5s, .job_class = 1});             // behind it in pool 0, though 1 GPU is free
  // At 10 pool 1 grants job 2 in round 1 and withdraws it from pool 0, which grants job 3 in round 2, still
  // at 10.
  const Played play{make};
  CHECK(play.job(2) == "leg 0 pool 1: 10 to 19 | completed at 19");
  CHECK(play.job(3) == "leg 1 pool 0: 10 to 15 | completed at 15");
}

TEST_CASE("With starts first, room of an instant is granted at the next one", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId pool = make.pool(1);
  make.leg({.policy = on_demand(), .places = {pool}, .classes = {true, false}});
  make.leg({.policy = flex(), .places = {pool}, .classes = {false, true}});
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 10s, .work = 5s});                  // asks at 10 before the release of 10
  make.job({.at = 10s, .work = 5s, .job_class = 1});  // waits
  make.world.ties = Ties::starts_first;
  SECTION("one millisecond later in continuous time") {
    const Played play{make};
    CHECK(play.job(1) == "refused at 10");
    CHECK(play.job(2) == "leg 1 pool 0: 10.001 to 15.001 | completed at 15.001");
  }
  SECTION("one step later on a grid") {
    make.world.grid = 5s;
    CHECK(Played{make}.job(2) == "leg 1 pool 0: 15 to 20 | completed at 20");
  }
}

TEST_CASE("With starts first, who comes to a freed pool in a later round waits for the next instant too",
          "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId full = make.pool(1);
  const PoolId freed = make.pool(1);
  make.leg({.policy = on_demand(), .places = {full}});
  make.leg({.policy = flex(), .places = {freed}, .classes = {false, true}});
  make.job({.at = 0s, .work = 100s});
  make.job({.at = 0s, .work = 10s, .job_class = 1});  // on the second pool, to 10
  make.job({.at = 10s, .work = 5s, .job_class = 1});  // refused at 10; comes there a round after the release
  make.world.ties = Ties::starts_first;
  CHECK(Played{make}.job(2) == "leg 1 pool 1: 10.001 to 15.001 | completed at 15.001");
}

TEST_CASE("With starts first, a capacity step is granted at the next instant", "[rules]") {
  WorldBuilder make;
  const PoolId pool = make.pool(1);
  make.step(pool, 10s, 2);
  make.leg({.policy = flex(), .places = {pool}});
  make.job({.at = 0s, .work = 5s, .gpus = 2});
  make.world.ties = Ties::starts_first;
  make.world.grid = 5s;
  CHECK(Played{make}.job(0) == "leg 0 pool 0: 15 to 20 | completed at 20");
}

TEST_CASE("On a grid, submit times and lengths are floored", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = on_demand(), .places = {make.pool(1)}});
  make.world.grid = 5s;
  make.job({.at = 7s, .work = 14s});  // 5 and 10
  make.job({.at = 19s, .work = 4s});  // 15 and 0: the GPU is free since 15
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 5 to 15 | completed at 15");
  CHECK(play.job(1) == "leg 0 pool 0: 15 to 15 | completed at 15");
}

TEST_CASE("Many jobs of a group may pass through one instant", "[rules]") {
  WorldBuilder make;
  make.world.classes[0].parallel = 1;
  make.leg({.policy = on_demand(), .places = {make.pool(1)}});
  make.job({.at = 0s, .work = 100s});
  for (int i = 0; i < 60; ++i) make.job({.at = 10s, .work = 1s, .group = 1});
  const Played play{make};  // each refusal lets the next one go, a round later: 60 rounds at 10
  CHECK(play.job(60) == "refused at 10");
}
