// Leases with fewer machines than asked (models/simulation/README.md, section 10). Times in seconds;
// every GPU is a machine. Class 0 buys spot with fewer machines, class 1 on demand.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

constexpr Partial kAtomic{};
constexpr Partial kGreedy{.gather = 100s, .interval = 10s};

WorldBuilder one_pool(std::int64_t gpus, const Policy& spot_row, Partial partial, std::int32_t least) {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId pool = make.pool(gpus);
  make.leg(
      {.policy = spot_row, .places = {pool}, .classes = {true, false}, .partial = partial, .least = least});
  make.leg({.policy = on_demand(), .places = {pool}, .classes = {false, true}});
  return make;
}

Policy with_notice(SimDuration notice) {
  Policy row = spot();
  row.notice = notice;
  row.restarts = 0;
  return row;
}

Policy with_lifetime(SimDuration life) {
  Policy row = spot();
  row.lifetime = Law{.a = life};
  row.restarts = 0;
  return row;
}

FaultRule breaking(const Law& life) {
  return {.name = "breaks", .life = life, .notice = 0s, .repair = Law{.a = 1'000s}};
}

JobClass saving(SimDuration every, SimDuration cost, SimDuration reload) {
  JobClass job_class{.name = "saving"};
  job_class.checkpoint_every = every;
  job_class.checkpoint_cost = cost;
  job_class.reload = reload;
  return job_class;
}

}  // namespace

TEST_CASE("A gang takes what is free at once, and works in proportion", "[rules]") {
  WorldBuilder make = one_pool(4, spot(), kAtomic, 2);
  make.job({.at = 0s, .work = 100s, .gpus = 1});  // 3 are left
  make.job({.at = 10s, .work = 60s, .gpus = 6});  // on 3 of 6: twice as long
  make.job({.at = 20s, .work = 5s, .gpus = 3});   // none is left
  make.job({.at = 140s, .work = 9s, .gpus = 8});  // on 4 of 8
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 10 to 130 | completed at 130");
  CHECK(play.job(2) == "refused at 20");
  CHECK(play.job(3) == "leg 0 pool 0: 140 to 158 | completed at 158");
  // 1 x 100 + 3 x 120 + 4 x 18, these for a minute each
  CHECK(play.usage(0) == "used 532 billed 700 | useful 532");
}

TEST_CASE("A gang that finds fewer than its least is refused", "[rules]") {
  WorldBuilder make = one_pool(4, spot(), kAtomic, 4);
  make.job({.at = 0s, .work = 100s, .gpus = 1});
  make.job({.at = 10s, .work = 60s, .gpus = 6});
  CHECK(Played(make).job(1) == "refused at 10");
}

TEST_CASE("A gang that could never have its least is not possible, one that could is", "[rules]") {
  WorldBuilder make = one_pool(4, spot(), kAtomic, 5);
  make.job({.at = 0s, .work = 60s, .gpus = 6});
  make.job({.at = 0s, .work = 60s, .gpus = 4});  // least is all 4
  const Played play{make};
  CHECK(play.job(0) == "refused at 0");
  CHECK(play.job(1) == "leg 0 pool 0: 0 to 60 | completed at 60");
}

TEST_CASE("A gang gathers its machines, pays for them meanwhile, and works when it is complete", "[rules]") {
  Policy row = spot();
  row.provisioning = Law{.a = 3s};
  row.start_up = Law{.a = 5s};
  WorldBuilder make = one_pool(4, row, kGreedy, 4);
  make.job({.at = 0s, .work = 20s, .gpus = 1, .job_class = 1});
  make.job({.at = 0s, .work = 32s, .gpus = 1, .job_class = 1});
  make.job({.at = 10s, .work = 10s, .gpus = 4});
  const Played play{make};
  // 2 machines at 10; the third asked for at 20, the fourth at 40, up at 43; work from 48.
  CHECK(play.job(2) == "leg 0 pool 0: 10 works 48 to 58 | completed at 58");
  // Up at 13, 13, 23, 43: 45 + 45 + 35 + 15 used, a minute each billed. Held: 48 + 48 + 38 + 18 = 152.
  CHECK(play.usage(0) == "used 140 billed 240 | useful 40 overhead 112");
}

TEST_CASE("A gang that has not gathered its least in time gives up, and has paid", "[rules]") {
  Policy row = spot();
  row.retries = 1;
  row.retry_interval = 50s;
  WorldBuilder make = one_pool(4, row, kGreedy, 4);
  make.job({.at = 0s, .work = 120s, .gpus = 2, .job_class = 1});
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 0 works 100 to 100 | leg 0 pool 0: 150 to 160 | completed at 160");
  CHECK(play.usage(0) == "used 240 billed 440 | useful 40 overhead 200");
  CHECK(play.record().pools[0].classes[3].preemptions == 0);
  CHECK(play.record().pools[0].classes[3].refusals == 0);
}

TEST_CASE("A gang that gives up frees its room when it ends, not when it stops asking", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId pool = make.pool(4);
  make.leg(
      {.policy = on_demand(), .places = {pool}, .classes = {true, false}, .partial = kGreedy, .least = 4});
  make.leg({.policy = flex(), .places = {pool}, .classes = {false, true}});
  make.job({.at = 0s, .work = 120s, .job_class = 1});
  make.job({.at = 5s, .work = 10s, .gpus = 4});  // three, until 105
  make.job({.at = 20s, .work = 10s, .job_class = 1});
  make.world.ties = Ties::starts_first;
  make.world.grid = 5s;
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 5 works 105 to 105 | refused at 105");
  CHECK(play.job(2) == "leg 1 pool 0: 110 to 120 | completed at 120");
}

TEST_CASE("A gang that has gathered its least in time goes on with what it has", "[rules]") {
  WorldBuilder make = one_pool(4, spot(), kGreedy, 3);
  make.job({.at = 0s, .work = 400s, .gpus = 1, .job_class = 1});
  make.job({.at = 0s, .work = 30s, .gpus = 4});
  CHECK(Played(make).job(1) == "leg 0 pool 0: 0 works 100 to 140 | completed at 140");
}

TEST_CASE("A gang that gathers is reclaimed whole and never works", "[rules]") {
  WorldBuilder make = one_pool(4, with_notice(200s), kGreedy, 1);
  make.job({.at = 0s, .work = 400s, .gpus = 1, .job_class = 1});
  make.job({.at = 0s, .work = 30s, .gpus = 4});
  make.job({.at = 15s, .work = 30s, .gpus = 1, .job_class = 1});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 0 works 215 to 215 preempted | failed at 215");
  CHECK(play.job(2) == "leg 1 pool 0: 15 works 215 to 245 | completed at 245");
}

TEST_CASE("A stronger request takes single machines, and the gang goes on without them", "[rules]") {
  WorldBuilder make = one_pool(4, with_notice(30s), kAtomic, 2);
  make.job({.at = 0s, .work = 100s, .gpus = 4});
  make.job({.at = 10s, .work = 50s, .gpus = 1, .job_class = 1});
  SECTION("without checkpoints it begins anew") {
    const Played play{make};
    // 40 of work are lost at 40; 100 take 100 x 4 / 3 = 133.334 on three.
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 173.334, lost 40 | completed at 173.334");
    CHECK(play.job(1) == "leg 1 pool 0: 10 works 40 to 90 | completed at 90");
    CHECK(play.record().jobs.at(0).preemptions == 0);
    CHECK(play.record().pools[0].classes[3].preemptions == 1);
  }
  SECTION("with checkpoints it goes on from the last") {
    make.world.classes[0] = saving(15s, 1s, 2s);
    const Played play{make};
    // Two checkpoints by 32: 30 kept, 8 lost. 70 from 42 on take 93.334 and 6 checkpoints.
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 141.334, lost 8 | completed at 141.334");
  }
  SECTION("with a last checkpoint in the notice it loses nothing") {
    make.world.classes[0] = saving(15s, 1s, 2s);
    make.world.classes[0].checkpoint_in_notice = true;
    const Played play{make};
    // Work stops at 10, is saved at 11 and goes on at 13: 90 take 120 and 7 checkpoints.
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 140 | completed at 140");
    CHECK(play.job(1) == "leg 1 pool 0: 10 works 11 to 61 | completed at 61");
  }
  SECTION("work that ends within the notice ends with all its machines") {
    WorldBuilder brief = one_pool(4, with_notice(30s), kAtomic, 2);
    brief.job({.at = 0s, .work = 40s, .gpus = 4});
    brief.job({.at = 10s, .work = 50s, .gpus = 1, .job_class = 1});
    const Played play{brief};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 40 | completed at 40");
    CHECK(play.record().pools[0].classes[3].preemptions == 0);
  }
}

TEST_CASE("Below its least a gang is reclaimed whole", "[rules]") {
  WorldBuilder make = one_pool(4, with_notice(30s), kAtomic, 3);
  make.job({.at = 0s, .work = 100s, .gpus = 4});
  make.job({.at = 10s, .work = 50s, .gpus = 2, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 40 preempted, lost 40 | failed at 40");
  CHECK(play.job(1) == "leg 1 pool 0: 10 works 40 to 90 | completed at 90");
}

TEST_CASE("Machines that leave while others leave already go with them, at the earlier end", "[rules]") {
  WorldBuilder make = one_pool(4, with_notice(30s), kAtomic, 1);
  make.job({.at = 0s, .work = 100s, .gpus = 4});
  make.job({.at = 10s, .work = 50s, .gpus = 1, .job_class = 1});
  SECTION("single machines") {
    make.job({.at = 20s, .work = 70s, .gpus = 1, .job_class = 1});
    const Played play{make};
    // Both go at 40; 100 on two of four machines.
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 240, lost 40 | completed at 240");
    CHECK(play.job(2) == "leg 1 pool 0: 20 works 40 to 110 | completed at 110");
    CHECK(play.record().pools[0].classes[3].preemptions == 2);
  }
  SECTION("all that are left") {
    make.job({.at = 20s, .work = 70s, .gpus = 3, .job_class = 1});
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 40 preempted, lost 40 | failed at 40");
    CHECK(play.job(2) == "leg 1 pool 0: 20 works 40 to 110 | completed at 110");
    CHECK(play.record().pools[0].classes[3].preemptions == 1);
  }
}

TEST_CASE("A last checkpoint that a sooner end cuts short is not written", "[rules]") {
  WorldBuilder make = one_pool(4, with_notice(30s), kAtomic, 1);
  make.world.classes[0] = saving(8s, 20s, 0s);
  make.world.classes[0].checkpoint_in_notice = true;
  // On 4 machines: 8 of work, a checkpoint to 28, 4 more by 32.
  make.job({.at = 0s, .work = 100s, .gpus = 4});
  make.job({.at = 32s, .work = 500s, .gpus = 1, .job_class = 1});  // a last checkpoint, to be complete at 52
  make.world.pools[0].faults.push_back(breaking(Law{.a = 40s}));
  const Played play{make};
  // At 40 all four machines break: the first three leave the lease with the fourth, at once.
  CHECK(play.record().jobs.at(0).lost == 4s);
  CHECK(play.record().jobs.at(0).finished == kStart + 40s);
}

TEST_CASE("Each lifetime takes its own machine", "[rules]") {
  SECTION("down to the least") {
    WorldBuilder make = one_pool(4, with_lifetime(50s), kAtomic, 2);
    make.job({.at = 0s, .work = 100s, .gpus = 4});
    const Played play{make};
    // All four lives end at 50, one after the other: two machines are marked, the third takes the lease.
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 50 preempted, lost 50 | failed at 50");
    CHECK(play.record().pools[0].classes[3].preemptions == 1);
  }
  SECTION("of machines that came at different times") {
    WorldBuilder make = one_pool(2, with_lifetime(50s), {.gather = 100s, .interval = 10s}, 1);
    make.world.classes[0] = saving(10s, 0s, 0s);
    make.job({.at = 0s, .work = 15s, .gpus = 1, .job_class = 1});
    make.job({.at = 0s, .work = 40s, .gpus = 2});
    const Played play{make};
    // One machine from 0, the other from 20, work from 20. At 50 the first goes: 30 are done, 10 are left,
    // which take 20 on the other, to the very end of its life at 70.
    CHECK(play.job(1) == "leg 0 pool 0: 0 works 20 to 70 | completed at 70");
    CHECK(play.usage(0) == "used 100 billed 120 | useful 80 overhead 20");
  }
}

TEST_CASE("A fault takes its own machine and its room", "[rules]") {
  WorldBuilder make = one_pool(4, spot(), kAtomic, 1);
  make.world.seed = 7;
  make.world.pools[0].faults.push_back(breaking(Law{.kind = Law::Kind::exponential, .a = 1'000s}));
  make.job({.at = 0s, .work = 300s, .gpus = 4});
  const Played play{make};
  const auto& totals = play.record().pools[0].classes[3];
  CHECK(totals.faults + play.record().jobs.at(0).preemptions >= 1);
  CHECK(totals.preemptions == 0);
}

TEST_CASE("Who comes first among the victims gives first; what proves unnecessary is spared", "[rules]") {
  WorldBuilder make = one_pool(4, spot(), kAtomic, 2);
  make.world.pools[0].reclaim = ReclaimRule::oldest;
  SECTION("a gang gives no more than is needed") {
    make.job({.at = 0s, .work = 100s, .gpus = 2});  // least is both
    make.job({.at = 1s, .work = 90s, .gpus = 2});
    make.job({.at = 10s, .work = 50s, .gpus = 2, .job_class = 1});
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 preempted, lost 10 | refused at 10");
    CHECK(play.job(1) == "leg 0 pool 0: 1 to 91 | completed at 91");
  }
  SECTION("a gang that is taken whole spares one before it") {
    make.job({.at = 0s, .work = 100s, .gpus = 1});
    make.job({.at = 1s, .work = 90s, .gpus = 3});  // short of 2 it would be below its least
    make.job({.at = 10s, .work = 50s, .gpus = 3, .job_class = 1});
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 100 | completed at 100");
    CHECK(play.job(1) == "leg 0 pool 0: 1 to 10 preempted, lost 9 | refused at 10");
  }
}

TEST_CASE("A gang of a stronger class has spot reclaimed for every batch", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(3);
  const PoolId pool = make.pool(4);
  make.leg({.policy = with_notice(5s), .places = {pool}, .classes = {true, false, false}});
  make.leg({.policy = on_demand(),
            .places = {pool},
            .classes = {false, true, false},
            .partial = kGreedy,
            .least = 4});
  make.leg({.policy = on_demand(), .places = {pool}, .classes = {false, false, true}});
  make.job({.at = 0s, .work = 100s, .gpus = 1});
  make.job({.at = 0s, .work = 15s, .gpus = 2, .job_class = 2});
  make.job({.at = 1s, .work = 30s, .gpus = 4, .job_class = 1});
  const Played play{make};
  // At 1 two machines, one of them from spot, which is there at 6; at 21 the other two.
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 6 preempted, lost 6 | failed at 6");
  CHECK(play.job(2) == "leg 1 pool 0: 1 works 21 to 51 | completed at 51");
}

TEST_CASE("A run's end closes a gang that has lost machines with all its pieces", "[rules]") {
  WorldBuilder make = one_pool(4, with_notice(30s), kAtomic, 2);
  make.world.end = RunEnd::time;
  make.world.window_end = kStart + 100s;
  make.job({.at = 0s, .work = 500s, .gpus = 4});
  make.job({.at = 10s, .work = 1'000s, .gpus = 1, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 100, lost 40 | unfinished at 100");
  // 4 x 40 lost, 3 x 60 useful.
  CHECK(play.usage(0) == "used 340 billed 360 | useful 180 redone 160");
}

TEST_CASE("A gang waits for machines in place of those that it lost", "[rules]") {
  Policy row = with_notice(10s);
  row.provisioning = Law{.a = 4s};
  row.start_up = Law{.a = 6s};
  WorldBuilder make = one_pool(4, row, {.gather = 100s, .interval = 10s, .recreates = true}, 4);
  make.job({.at = 0s, .work = 100s, .gpus = 4});                  // works from 10
  make.job({.at = 50s, .work = 15s, .gpus = 1, .job_class = 1});  // one machine leaves at 60
  const Played play{make};
  // On demand has it from 60 to 75. From 60 on three wait, and ask at 70 and at 80: up at 84, work at 90.
  CHECK(play.job(1) == "leg 1 pool 0: 50 works 60 to 75 | completed at 75");
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 10 to 190, lost 50 | completed at 190");
  // up: 3 x 186 (4 to 190), 1 x 56 (4 to 60, billed as 60), 1 x 106 (84 to 190); held: 4 x 60 + 3 x 20 + 4 x
  // 110
  CHECK(play.usage(0) == "used 720 billed 724 | useful 400 redone 200 overhead 140");
  CHECK(play.record().jobs.at(0).preemptions == 0);
}

TEST_CASE("A gang works on while lost machines are re-created, and they join it together", "[rules]") {
  Policy row = with_notice(10s);
  row.provisioning = Law{.a = 4s};
  row.start_up = Law{.a = 6s};
  row.health.takes = 2s;
  const Partial rule{.gather = 100s, .interval = 10s, .recreates = true, .works_on = true};
  WorldBuilder make = one_pool(4, row, rule, 2);
  make.world.classes[0] = saving(20s, 0s, 5s);
  make.job({.at = 0s, .work = 100s, .gpus = 4});                  // works from 12
  make.job({.at = 50s, .work = 15s, .gpus = 2, .job_class = 1});  // two machines leave at 60
  const Played play{make};
  CHECK(play.job(1) == "leg 1 pool 0: 50 works 60 to 75 | completed at 75");
  // At 60, 48 s after 12: 40 are kept, 8 lost, and 60 are left. From 65 on two of four work. Asked at 70 and,
  // with room, at 80: up at 84, ready at 92. Two have worked for 27 s then: 20 are kept, which is 10 of the
  // work, and 7 lost. The other 50 take all four from 97 on, checkpoints without cost.
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 12 to 147, lost 15 | completed at 147");
  // up: 2 x 143 (4 to 147), 2 x 56 (4 to 60), 2 x 63 (84 to 147). Useful: 4 x 40 + 2 x 20 + 4 x 50; redone 4
  // x 8 + 2 x
  // 7. Held: 4 x 60 + 2 x 20 + 4 x 67.
  CHECK(play.usage(0) == "used 524 billed 532 | useful 400 redone 46 overhead 102");
}

TEST_CASE("A gang with too few at work waits for machines, whatever it does else", "[rules]") {
  const Partial rule{.gather = 100s, .interval = 10s, .recreates = true, .works_on = true};
  WorldBuilder make = one_pool(4, with_notice(0s), rule, 3);
  make.job({.at = 0s, .work = 100s, .gpus = 4});
  make.job({.at = 50s, .work = 15s, .gpus = 2, .job_class = 1});  // two are less than three
  const Played play{make};
  // Nothing is saved. Both come at 70, and all four begin anew.
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 170, lost 50 | completed at 170");
  CHECK(play.usage(0) == "used 640 billed 660 | useful 400 redone 200 overhead 40");
}

TEST_CASE("A gang whose lost machines do not come again goes on with enough, or gives up", "[rules]") {
  const auto played = [](std::int32_t least) {
    WorldBuilder make =
        one_pool(4, with_notice(0s), {.gather = 30s, .interval = 10s, .recreates = true}, least);
    make.job({.at = 0s, .work = 90s, .gpus = 4});
    make.job({.at = 20s, .work = 1'000s, .gpus = 1, .job_class = 1});
    return Played(make).job(0);
  };
  CHECK(played(3) == "leg 0 pool 0: 0 to 170, lost 20 | completed at 170");  // from 50 on three of four
  CHECK(played(4) == "leg 0 pool 0: 0 to 50, lost 20 | refused at 50");
}

TEST_CASE("A gang that waits for lost machines is reclaimed whole", "[rules]") {
  WorldBuilder make = one_pool(4, with_notice(0s), {.gather = 30s, .interval = 10s, .recreates = true}, 1);
  make.job({.at = 0s, .work = 100s, .gpus = 4});
  make.job({.at = 20s, .work = 1'000s, .gpus = 1, .job_class = 1});
  make.job({.at = 35s, .work = 1'000s, .gpus = 1, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 35 preempted, lost 20 | failed at 35");
  CHECK(play.record().jobs.at(0).preemptions == 1);
}
