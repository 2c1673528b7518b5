// Queues, held pools, shapes and the length of leases (design, sections 5 to 8; models/simulation/README.md,
// sections 5, 7 and 12).
// Times in seconds. Every world is run by both implementations.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// 2 GPUs, of which one is free from 10 and both from 20 on; three jobs wait: long and wide, short, shorter.
WorldBuilder waiting_jobs(Discipline discipline) {
  WorldBuilder make;
  make.leg({.policy = flex(), .places = {make.pool(2, discipline)}});
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 0s, .work = 20s});
  make.job({.at = 1s, .work = 30s, .gpus = 2, .estimate = 3s});
  make.job({.at = 2s, .work = 10s, .estimate = 5s});
  make.job({.at = 3s, .work = 10s, .estimate = 4s});
  return make;
}

}  // namespace

TEST_CASE("Strict first-in first-out: the head blocks", "[rules]") {
  const Played play{waiting_jobs(Discipline::fifo)};
  CHECK(play.job(2) == "leg 0 pool 0: 20 to 50 | completed at 50");
  CHECK(play.job(3) == "leg 0 pool 0: 50 to 60 | completed at 60");
  CHECK(play.job(4) == "leg 0 pool 0: 50 to 60 | completed at 60");
}

TEST_CASE("First fit: the first in order of arrival that fits", "[rules]") {
  const Played play{waiting_jobs(Discipline::first_fit)};
  // One GPU at 10 for job 3. At 20 both are free, and job 2 is the first.
  CHECK(play.job(3) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 0 pool 0: 20 to 50 | completed at 50");
  CHECK(play.job(4) == "leg 0 pool 0: 50 to 60 | completed at 60");
}

TEST_CASE("Shortest first: the smallest estimate blocks", "[rules]") {
  const Played play{waiting_jobs(Discipline::shortest)};
  CHECK(play.job(2) == "leg 0 pool 0: 20 to 50 | completed at 50");  // estimate 3 s, whatever the work is
  CHECK(play.job(4) == "leg 0 pool 0: 50 to 60 | completed at 60");
  CHECK(play.job(3) == "leg 0 pool 0: 50 to 60 | completed at 60");
}

TEST_CASE("Shortest first fit: the smallest estimate that fits", "[rules]") {
  const Played play{waiting_jobs(Discipline::shortest_first_fit)};
  CHECK(play.job(4) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 0 pool 0: 20 to 50 | completed at 50");
  CHECK(play.job(3) == "leg 0 pool 0: 50 to 60 | completed at 60");
}

TEST_CASE("Who has a higher priority is served first in held capacity, and nowhere else", "[rules]") {
  WorldBuilder make;
  make.world.classes = {{.name = "calm"}, {.name = "urgent", .priority = 1}};
  const PoolId zone = make.pool(1);
  const auto add_jobs = [&] {
    make.job({.at = 0s, .work = 10s});
    make.job({.at = 1s, .work = 10s});
    make.job({.at = 2s, .work = 10s, .job_class = 1});
    make.job({.at = 3s, .work = 10s, .job_class = 1});
  };
  SECTION("held: in order of priority, then of entry; nobody is preempted") {
    const PoolId held = make.held(zone, 1);
    make.world.held[0].pool.discipline =
        GENERATE(Discipline::fifo, Discipline::first_fit, Discipline::shortest);
    make.leg({.policy = reservation(), .places = {held}});
    add_jobs();
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 1: 0 to 10 | completed at 10");
    CHECK(play.job(2) == "leg 0 pool 1: 10 to 20 | completed at 20");
    CHECK(play.job(3) == "leg 0 pool 1: 20 to 30 | completed at 30");
    CHECK(play.job(1) == "leg 0 pool 1: 30 to 40 | completed at 40");
  }
  SECTION("a zone: in order of entry") {
    make.leg({.policy = flex(), .places = {zone}});
    add_jobs();
    const Played play{make};
    CHECK(play.job(1) == "leg 0 pool 0: 10 to 20 | completed at 20");
    CHECK(play.job(2) == "leg 0 pool 0: 20 to 30 | completed at 30");
  }
}

TEST_CASE("An urgent job that does not fit blocks a strict queue alone", "[rules]") {
  const auto second_starts = [](Discipline discipline) {
    WorldBuilder make;
    make.world.classes = {{.name = "calm"}, {.name = "urgent", .priority = 7}};
    const PoolId held = make.held(make.pool(2), 2);
    make.world.held[0].pool.discipline = discipline;
    make.leg({.policy = reservation(), .places = {held}});
    make.job({.at = 0s, .work = 20s});
    make.job({.at = 1s, .work = 10s, .gpus = 2, .job_class = 1});
    make.job({.at = 2s, .work = 10s});
    return Played{make}.job(2);
  };
  CHECK(second_starts(Discipline::fifo) == "leg 0 pool 1: 30 to 40 | completed at 40");
  CHECK(second_starts(Discipline::first_fit) == "leg 0 pool 1: 2 to 12 | completed at 12");
}

TEST_CASE("Idle machines of a held pool break, and are repaired", "[rules]") {
  WorldBuilder make;
  const PoolId held = make.held(make.pool(2), 2);
  make.world.held[0].pool.faults = {
      {.name = "fault", .life = {.a = 100s}, .notice = 9s, .repair = {.a = 30s}}};
  make.leg({.policy = reservation(), .places = {held}});
  SECTION("both at 100; nobody starts until they are back at 130") {
    make.job({.at = 110s, .work = 10s});
    CHECK(Played{make}.job(0) == "leg 0 pool 1: 130 to 140 | completed at 140");
  }
  SECTION("one that was leased until 70 lives anew from then on") {
    make.job({.at = 50s, .work = 20s});
    make.job({.at = 110s, .work = 10s});
    make.job({.at = 111s, .work = 10s});
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 1: 50 to 70 | completed at 70");
    CHECK(play.job(1) == "leg 0 pool 1: 110 to 120 | completed at 120");
    CHECK(play.job(2) == "leg 0 pool 1: 120 to 130 | completed at 130");
  }
}

TEST_CASE("A class without a capacity source is unlimited", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId pool = make.pool(1);
  make.world.pools[0].capacity[0].classes[static_cast<std::size_t>(LeaseClass::on_demand)] = false;
  make.leg({.policy = spot(), .places = {pool}, .classes = {true, false}});
  make.leg({.policy = on_demand(), .places = {pool}, .classes = {false, true}});
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 0s, .work = 10s, .gpus = 1'000, .job_class = 1});  // and takes nothing from spot
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 1 pool 0: 0 to 10 | completed at 10");
}

TEST_CASE("GPUs that come with the machines are leased and unused", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = on_demand(), .places = {make.pool(8)}});
  make.job({.at = 0s, .work = 60s, .gpus = 3, .unused = 1});
  make.job({.at = 0s, .work = 60s, .gpus = 5});  // only 4 are left
  const Played play{make};
  CHECK(play.job(1) == "refused at 0");
  CHECK(play.usage(0) == "used 240 billed 240 | useful 180 unused 60");
}

TEST_CASE("A held pool is taken from its parent pool and holds whatever it is used for", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  make.world.end = RunEnd::time;
  make.world.window_end = kStart + 100s;
  const PoolId zone = make.pool(3);
  const PoolId held = make.held(zone, 2);
  make.leg({.policy = reservation(), .places = {held}, .classes = {true, false}});
  make.leg({.policy = on_demand(), .places = {zone}, .classes = {false, true}});
  make.job({.at = 10s, .work = 20s, .gpus = 2});
  make.job({.at = 10s, .work = 10s});                             // waits for the first
  make.job({.at = 50s, .work = 10s, .gpus = 2, .job_class = 1});  // 1 GPU is all that is left in the zone
  make.step(zone, 60s, 0);                                        // falls on others only
  make.job({.at = 65s, .work = 10s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 10 to 30 | completed at 30");
  CHECK(play.job(1) == "leg 0 pool 1: 30 to 40 | completed at 40");
  CHECK(play.job(2) == "refused at 50");
  CHECK(play.job(3) == "leg 0 pool 1: 65 to 75 | completed at 75");
  // 2 machines for 100 s, and 2 x 20 + 10 + 10 GPU-seconds sublet.
  CHECK(play.usage(1) == "used 200 billed 200 | idle 140");
}

TEST_CASE("Held pools ask in their own order, whatever order the legs have", "[rules]") {
  WorldBuilder make;
  const PoolId zone = make.pool(2);
  const PoolId first = make.held(zone, 2);
  const PoolId second = make.held(zone, 2);
  make.world.strategies[0].held = {second, first};
  make.leg({.policy = reservation(), .places = {second}, .limit = 10s});
  make.leg({.policy = reservation(), .places = {first}});
  make.job({.at = 0s, .work = 10s});
  CHECK(Played{make}.job(0) == "leg 1 pool 1: 10 to 20 | completed at 20");
}

TEST_CASE("A held pool that is refused is asked for again", "[rules]") {
  WorldBuilder make;
  const PoolId zone = make.pool(2);
  const PoolId held = make.held(zone, 2, 5s, 10s);
  make.tenant_leg({.policy = on_demand(), .places = {zone}});
  make.tenant({.at = 0s, .work = 17s});
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 0s, .work = 10s});  // asked for at 5, 15, 25
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 25 to 35 | completed at 35");
  CHECK(play.record().held_since == std::vector{kStart + 25s});
}

TEST_CASE("A held pool preempts spot machines and is there when they are gone", "[rules]") {
  WorldBuilder make;
  Policy row = spot();
  row.notice = 30s;
  const PoolId zone = make.pool(2);
  const PoolId held = make.held(zone, 2, 5s);
  make.tenant_leg({.policy = row, .places = {zone}});
  make.tenant({.at = 0s, .work = 100s});
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 0s, .work = 10s});
  CHECK(Played{make}.job(0) == "leg 0 pool 1: 35 to 45 | completed at 45");
}

TEST_CASE("Added supply takes nothing from its parent pool", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId zone = make.pool(1);
  const PoolId held = make.held(zone, 4, 5s);
  make.world.held[0].added_supply = true;
  make.leg({.policy = reservation(), .places = {held}, .classes = {true, false}});
  make.leg({.policy = on_demand(), .places = {zone}, .classes = {false, true}});
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 6s, .work = 10s, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 5 to 15 | completed at 15");
  CHECK(play.job(1) == "leg 1 pool 0: 6 to 16 | completed at 16");
}

TEST_CASE("A reservation for the instant only lets the job pass on", "[rules]") {
  WorldBuilder make;
  const PoolId zone = make.pool(4);
  const PoolId held = make.held(zone, 1);
  make.leg({.policy = reservation(), .places = {held}, .limit = 0s});
  make.leg({.policy = on_demand(), .places = {zone}});
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 1s, .work = 10s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 1 pool 0: 1 to 11 | completed at 11");
}

TEST_CASE("Provisioning is not billed, start-up is, and both are overhead", "[rules]") {
  WorldBuilder make;
  Policy row = on_demand();
  row.provisioning.a = 40s;
  row.start_up.a = 20s;
  make.leg({.policy = row, .places = {make.pool(1)}});
  make.job({.at = 0s, .work = 100s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 60 to 160 | completed at 160");
  CHECK(play.usage(0) == "used 120 billed 120 | useful 100 overhead 60");
}

TEST_CASE("A lease that has run for its longest is cut off", "[rules]") {
  WorldBuilder make;
  Policy row = flex();
  row.provisioning.a = 5s;  // does not count
  row.start_up.a = 2s;      // counts
  row.run_max = 12s;
  make.leg({.policy = row, .places = {make.pool(1)}});
  make.world.classes[0].checkpoint_every = 4s;
  SECTION("with what the last checkpoint saved") {
    make.job({.at = 0s, .work = 11s});  // up at 5, works at 7, cut at 17: 8 are saved, 2 lost
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 0: 0 works 7 to 17, lost 2 | cut_off at 17");
    CHECK(play.usage(0) == "used 12 billed 60 | useful 8 redone 2 overhead 7");
  }
  SECTION("unless its work is done at that instant") {
    make.job({.at = 0s, .work = 10s});
    CHECK(Played{make}.job(0) == "leg 0 pool 0: 0 works 7 to 17 | completed at 17");
  }
}

TEST_CASE("The discipline smallest grants the fewest GPUs first, then the first to enter", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = flex(), .places = {make.pool(4, Discipline::smallest)}});
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 3});
  make.job({.at = 2s, .work = 10s, .gpus = 2});
  make.job({.at = 3s, .work = 10s, .gpus = 2});
  make.job({.at = 4s, .work = 20s, .gpus = 1});
  const Played play{make};  // at 10: job 4, then job 2; at 20 one GPU more: job 3; at 30 job 1
  CHECK(play.job(4) == "leg 0 pool 0: 10 to 30 | completed at 30");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(3) == "leg 0 pool 0: 20 to 30 | completed at 30");
  CHECK(play.job(1) == "leg 0 pool 0: 30 to 40 | completed at 40");
}

TEST_CASE("With ageing, a short job overtakes only those that have not waited long", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = flex(), .places = {make.pool(1, Discipline::shortest_ageing)}});
  make.world.pools[0].ageing_ppm = 500'000;
  make.job({.at = 0s, .work = 100s});
  make.job({.at = 10s, .work = 50s});  // 50 + 5
  make.job({.at = 20s, .work = 40s});  // 40 + 10
  make.job({.at = 30s, .work = 40s});  // 40 + 15: as job 1, which entered before
  make.job({.at = 60s, .work = 30s});  // 30 + 30: the shortest, and last
  const Played play{make};
  CHECK(play.job(2) == "leg 0 pool 0: 100 to 140 | completed at 140");
  CHECK(play.job(1) == "leg 0 pool 0: 140 to 190 | completed at 190");
  CHECK(play.job(3) == "leg 0 pool 0: 190 to 230 | completed at 230");
  CHECK(play.job(4) == "leg 0 pool 0: 230 to 260 | completed at 260");
}
