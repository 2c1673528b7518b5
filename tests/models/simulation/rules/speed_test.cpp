// Work at other rates than the reference's (models/simulation/README.md, section 7). Times in
// seconds. Every world is run by both implementations. Class 0 buys spot, class 1 on demand.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// One GPU that spot jobs have at a rate and on-demand jobs take away, without notice.
WorldBuilder one_gpu(Rate rate, SimDuration notice = 0s) {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId pool = make.pool(1);
  Policy patient = spot();
  patient.notice = notice;
  patient.retries = kUnlimited;
  patient.retry_interval = 10s;
  make.leg({.policy = patient, .places = {pool}, .classes = {true, false}, .rate_ppm = rate});
  make.leg({.policy = on_demand(), .places = {pool}, .classes = {false, true}});
  return make;
}

}  // namespace

TEST_CASE("A job runs for its work over the rate, rounded up to the millisecond", "[rules][speed]") {
  const auto ends = [](Rate rate, SimDuration work) {
    WorldBuilder make = one_gpu(rate);
    make.job({.at = 0s, .work = work});
    return Played{make}.job(0);
  };
  CHECK(ends(2'500'000, 100s) == "leg 0 pool 0: 0 to 40 | completed at 40");
  CHECK(ends(2'500'000, 1ms) == "leg 0 pool 0: 0 to 0.001 | completed at 0.001");
  CHECK(ends(180'000, 9s) == "leg 0 pool 0: 0 to 50 | completed at 50");
  CHECK(ends(180'000, 1s) == "leg 0 pool 0: 0 to 5.556 | completed at 5.556");
  CHECK(ends(3'000'000, 10s) == "leg 0 pool 0: 0 to 3.334 | completed at 3.334");
}

TEST_CASE("At rate 2.5, checkpoints are written by the clock and what they keep counts 2.5 times",
          "[rules][speed]") {
  WorldBuilder make = one_gpu(2'500'000);
  make.world.classes[0].checkpoint_every = 4s;
  make.world.classes[0].checkpoint_cost = 1s;
  make.world.classes[0].reload = 2s;
  make.job({.at = 0s, .work = 50s});  // 20 on the machine: 4 + 1 + 4 + 1 + 4 + 1 + 4 + 1 + 4
  SECTION("undisturbed") {
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 24 | completed at 24");
    CHECK(play.usage(0) == "used 24 billed 60 | useful 20 overhead 4");
  }
  SECTION("reclaimed 3 into the third piece: 8 x 2.5 = 20 are kept, 30 left: 12 on the machine") {
    make.job({.at = 13s, .work = 5s, .job_class = 1});
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 13 preempted, lost 3 | leg 0 pool 0: 23 works 25 to 39 | completed at 39");
  }
}

TEST_CASE("At rate 0.18 a job that was preempted goes on from what it kept", "[rules][speed]") {
  WorldBuilder make = one_gpu(180'000);
  make.world.classes[0].checkpoint_every = 10s;
  make.job({.at = 0s, .work = 9s});  // 50 on the machine
  make.job({.at = 35s, .work = 5s, .job_class = 1});
  // 30 kept, of work 5.4; 3.6 left: 20 on the machine.
  CHECK(Played{make}.job(0) ==
        "leg 0 pool 0: 0 to 35 preempted, lost 5 | leg 0 pool 0: 45 to 65 | completed at 65");
}

TEST_CASE("What is kept is rounded down, and what is left up", "[rules][speed]") {
  WorldBuilder make = one_gpu(333'333);
  make.world.classes[0].checkpoint_every = 1s;
  make.job({.at = 0s, .work = 1s});  // 3.000003 on the machine: 3.001
  make.job({.at = 2500ms, .work = 1s, .job_class = 1});
  // 2 kept, of work 0.666666: 0.666; 0.334 left, 1.002001 on the machine: 1.003.
  CHECK(Played{make}.job(0) ==
        "leg 0 pool 0: 0 to 2.500 preempted, lost 0.500 | leg 0 pool 0: 12.500 to 13.503 | completed at "
        "13.503");
}

TEST_CASE("A last checkpoint keeps all work done at the rate, at most what was left", "[rules][speed]") {
  WorldBuilder make = one_gpu(2'500'000, 30s);
  make.world.classes[0].checkpoint_every = 1h;
  make.world.classes[0].checkpoint_cost = 1s;
  make.world.classes[0].checkpoint_in_notice = true;
  SECTION("in the middle") {
    make.job({.at = 0s, .work = 500s});
    make.job({.at = 100s, .work = 5s, .job_class = 1});  // 100 done, of work 250
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 101 preempted | leg 0 pool 0: 111 to 211 | completed at 211");
  }
  SECTION("between the end of work and the grid: nothing is left") {
    make.world.grid = 10s;
    make.step(PoolId{0}, 17s, 0);
    make.step(PoolId{0}, 30s, 1);
    make.job({.at = 0s, .work = 40s});  // 16 on the machine, so that it would end at 20
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 18 preempted | leg 0 pool 0: 38 to 40 | completed at 40");
  }
}

TEST_CASE("A job may change between machines of different speed", "[rules][speed]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  make.world.classes[0].checkpoint_every = 10s;
  const PoolId fast = make.pool(1);
  const PoolId slow = make.pool(1);
  Policy once = spot();
  once.restarts = 0;
  make.leg({.policy = once, .places = {fast}, .classes = {true, false}, .rate_ppm = 2'500'000});
  make.leg({.policy = on_demand(), .places = {slow}, .classes = {true, false}, .rate_ppm = 500'000});
  make.leg({.policy = on_demand(), .places = {fast}, .classes = {false, true}});
  make.job({.at = 0s, .work = 100s});  // 40 there
  make.job({.at = 25s, .work = 5s, .job_class = 1});
  // 20 kept, of work 50; the other 50 take 100 on the slow machine.
  CHECK(Played{make}.job(0) ==
        "leg 0 pool 0: 0 to 25 preempted, lost 5 | leg 1 pool 1: 25 to 125 | completed at 125");
}

TEST_CASE("A chain goes on only while it gets on", "[rules][speed]") {
  WorldBuilder make;
  make.world.classes[0].checkpoint_every = 1s;
  const PoolId pool = make.pool(1);
  Policy chained = flex();
  chained.run_max = 10ms;
  chained.chains = true;
  SECTION("10 ms at rate 0.05 do nothing") {
    make.leg({.policy = chained, .places = {pool}, .rate_ppm = 50'000});
    make.job({.at = 0s, .work = 1s});
    CHECK(Played{make}.job(0) == "leg 0 pool 0: 0 to 0.010 | cut_off at 0.010");
  }
  SECTION("at rate 0.5 they do 5 ms") {
    make.leg({.policy = chained, .places = {pool}, .rate_ppm = 500'000});
    make.job({.at = 0s, .work = 12ms});
    CHECK(
        Played{make}.job(0) ==
        "leg 0 pool 0: 0 to 0.010 | leg 0 pool 0: 0.010 to 0.020 | leg 0 pool 0: 0.020 to 0.024 | completed "
        "at 0.024");
  }
}

TEST_CASE("A queue by length goes by the length in that pool", "[rules][speed]") {
  WorldBuilder make;
  make.world.classes.resize(3);
  const PoolId pool = make.pool(1, Discipline::shortest);
  make.leg({.policy = flex(), .places = {pool}, .classes = {true, false, true}});
  make.leg({.policy = flex(), .places = {pool}, .classes = {false, true, false}, .rate_ppm = 2'500'000});
  make.job({.at = 0s, .work = 10s, .job_class = 2});
  make.job({.at = 1s, .work = 50s, .job_class = 0});
  make.job({.at = 2s, .work = 100s, .job_class = 1});  // 40 there
  const Played play{make};
  CHECK(play.job(2) == "leg 1 pool 0: 10 to 50 | completed at 50");
  CHECK(play.job(1) == "leg 0 pool 0: 50 to 100 | completed at 100");
}

TEST_CASE("A deadline rule counts progress on the reference, and what is left on the safe leg",
          "[rules][speed]") {
  WorldBuilder make;
  make.world.classes[0].checkpoint_every = 10s;
  const PoolId cheap = make.pool(1);
  const PoolId safe = make.pool(1);
  make.leg({.policy = spot(), .places = {cheap}, .rate_ppm = 2'000'000});
  make.leg({.policy = on_demand(), .places = {safe}, .rate_ppm = 500'000});
  make.tenant_leg({.policy = on_demand(), .places = {cheap}});
  make.world.strategies[0].deadline_rule = DeadlineRule{.tick = 10s, .overhead = 12s};
  make.tenant({.at = 45s, .work = 2000s});
  SECTION("it could wait for cheap capacity on the reference, not on the safe leg") {
    // At 0: 200 on the safe leg and 2 x 12 are 230 in ticks, less than 240. Reclaimed at 45 with 80 done: it
    // is behind the line 100 T / 240 after 192, but 20 of work take 40 there, with 2 x 12 in ticks 70: at
    // 170.
    make.job({.at = 0s, .work = 100s, .deadline = 240s});
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 45 preempted, lost 5 | leg 1 pool 1: 170 to 210 | completed at 210");
  }
  SECTION("a deadline that leaves no time for the safe leg's rate is safe from the start") {
    make.job({.at = 0s, .work = 100s, .deadline = 230s});
    CHECK(Played{make}.job(0) == "leg 1 pool 1: 0 to 200 | completed at 200");
  }
}
