// Leases that are reclaimed (design, section 6 "Reclaim" and section 8; models/simulation/README.md,
// sections 4, 7 and 9). Times in seconds. Every world is run by both implementations. Class
// 0 buys spot, class 1 on demand, class 2 flex.

#include <algorithm>
#include <array>
#include <set>

#include <catch2/catch.hpp>

#include "sim/random/draw.h"
#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

Policy patient_spot(SimDuration notice) {
  Policy policy = spot();
  policy.notice = notice;
  policy.retries = kUnlimited;
  policy.retry_interval = 10s;
  return policy;
}

/// One pool with a leg for each of spot, on demand and flex, by job class.
WorldBuilder one_pool(std::int64_t gpus, const Policy& spot_row) {
  WorldBuilder make;
  make.world.classes.resize(3);
  const PoolId pool = make.pool(gpus);
  make.leg({.policy = spot_row, .places = {pool}, .classes = {true, false, false}});
  make.leg({.policy = on_demand(), .places = {pool}, .classes = {false, true, false}});
  make.leg({.policy = flex(), .places = {pool}, .classes = {false, false, true}});
  return make;
}

}  // namespace

TEST_CASE("Without notice, spot is gone in the instant in which on-demand comes", "[rules]") {
  WorldBuilder make = one_pool(1, patient_spot(0s));
  make.job({.at = 0s, .work = 30s});
  make.job({.at = 10s, .work = 5s, .job_class = 1});
  const Played play{make};
  // Reclaimed at 10, refused at 10, retry at 20.
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 preempted, lost 10 | leg 0 pool 0: 20 to 50 | completed at 50");
  CHECK(play.job(1) == "leg 1 pool 0: 10 to 15 | completed at 15");
}

TEST_CASE("Spot machines of a pool are taken together, and others are not", "[rules]") {
  WorldBuilder make = one_pool(8, patient_spot(5s));
  make.world.pools[0].mass_reclaim = MassReclaim{.every = {.a = 100s}};  // at 100, 200, ...
  make.job({.at = 0s, .work = 60s});
  make.job({.at = 10s, .work = 200s, .job_class = 1});
  make.job({.at = 20s, .work = 200s, .job_class = 2});
  make.job({.at = 50s, .work = 80s});
  make.job({.at = 90s, .work = 80s, .gpus = 2});
  make.job({.at = 97s, .work = 6s});  // done within the notice
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 60 | completed at 60");
  CHECK(play.job(3) ==
        "leg 0 pool 0: 50 to 105 preempted, lost 55 | leg 0 pool 0: 105 to 185 | completed at 185");
  CHECK(play.job(4) ==
        "leg 0 pool 0: 90 to 105 preempted, lost 15 | leg 0 pool 0: 105 to 185 | completed at 185");
  CHECK(play.job(5) == "leg 0 pool 0: 97 to 103 | completed at 103");
  CHECK(play.job(1) == "leg 1 pool 0: 10 to 210 | completed at 210");
  CHECK(play.job(2) == "leg 2 pool 0: 20 to 220 | completed at 220");
}

TEST_CASE("With notice, start-up begins when the leaving machines are gone", "[rules]") {
  WorldBuilder make = one_pool(1, patient_spot(30s));
  make.job({.at = 0s, .work = 100s});
  make.job({.at = 10s, .work = 5s, .job_class = 1});  // granted at 10, room at 40
  const Played play{make};
  CHECK(play.job(0) ==
        "leg 0 pool 0: 0 to 40 preempted, lost 40 | leg 0 pool 0: 50 to 150 | completed at 150");
  CHECK(play.job(1) == "leg 1 pool 0: 10 works 40 to 45 | completed at 45");
}

TEST_CASE("Work that is done within the notice is done", "[rules]") {
  WorldBuilder make = one_pool(1, patient_spot(30s));
  make.job({.at = 10s, .work = 5s, .job_class = 1});
  SECTION("before its end: the machines are free then") {
    make.job({.at = 0s, .work = 20s});
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 20 | completed at 20");
    CHECK(play.job(1) == "leg 1 pool 0: 10 works 20 to 25 | completed at 25");
  }
  SECTION("at its very end") {
    make.job({.at = 0s, .work = 40s});
    CHECK(Played{make}.job(0) == "leg 0 pool 0: 0 to 40 | completed at 40");
  }
}

TEST_CASE("The next attempt starts no earlier than the lease ends", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId first = make.pool(1);
  const PoolId second = make.pool(1);
  make.leg({.policy = patient_spot(30s), .places = {first, second}, .classes = {true, false}});
  make.leg({.policy = on_demand(), .places = {first}, .classes = {false, true}});
  make.job({.at = 0s, .work = 100s});
  make.job({.at = 10s, .work = 500s, .job_class = 1});  // the second pool is free all the time
  CHECK(Played{make}.job(0) ==
        "leg 0 pool 0: 0 to 40 preempted, lost 40 | leg 0 pool 1: 40 to 140 | completed at 140");
}

TEST_CASE("An interruption loses the work since the last checkpoint", "[rules]") {
  WorldBuilder make = one_pool(1, patient_spot(0s));
  make.world.classes[0].checkpoint_every = 4s;
  make.world.classes[0].checkpoint_cost = 1s;
  make.world.classes[0].reload = 2s;
  make.job({.at = 0s, .work = 20s});
  // Undisturbed: 4 + 1 + 4 + 1 + 4 + 1 + 4 + 1 + 4 = 24.
  SECTION("undisturbed") { CHECK(Played{make}.job(0) == "leg 0 pool 0: 0 to 24 | completed at 24"); }
  SECTION("3 s into the third piece: 8 are saved, 3 lost; then reload and 12 + 2 x 1") {
    make.job({.at = 13s, .work = 5s, .job_class = 1});
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 13 preempted, lost 3 | leg 0 pool 0: 23 works 25 to 39 | completed at 39");
  }
  SECTION("while a checkpoint is written: the piece is lost") {
    make.world.classes[0].checkpoint_cost = 2s;  // written from 4 to 6
    make.job({.at = 5s, .work = 5s, .job_class = 1});
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 5 preempted, lost 4 | leg 0 pool 0: 15 to 43 | completed at 43");
  }
  SECTION("when it has just been written: nothing is lost") {
    make.job({.at = 10s, .work = 5s, .job_class = 1});
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 10 preempted | leg 0 pool 0: 20 works 22 to 36 | completed at 36");
  }
}

TEST_CASE("Victims go in the pool's order", "[rules]") {
  WorldBuilder make = one_pool(2, spot());
  make.job({.at = 0s, .work = 100s});
  make.job({.at = 1s, .work = 100s});
  make.job({.at = 10s, .work = 200s, .job_class = 1});
  SECTION("newest first") {
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 100 | completed at 100");
    CHECK(play.job(1) == "leg 0 pool 0: 1 to 10 preempted, lost 9 | refused at 10");
  }
  SECTION("oldest first") {
    make.world.pools[0].reclaim = ReclaimRule::oldest;
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 preempted, lost 10 | refused at 10");
    CHECK(play.job(1) == "leg 0 pool 0: 1 to 101 | completed at 101");
  }
}

TEST_CASE("A victim whose room turns out unnecessary is spared", "[rules]") {
  WorldBuilder make = one_pool(8, spot());
  make.world.pools[0].reclaim = ReclaimRule::oldest;
  make.job({.at = 0s, .work = 100s, .gpus = 2});
  make.job({.at = 1s, .work = 100s, .gpus = 6});
  make.job({.at = 10s, .work = 100s, .gpus = 5, .job_class = 1});
  // 8 + 5 - 2 = 11, - 6 = 5 fit. Without the first victim 5 + 2 = 7 fit as well.
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 100 | completed at 100");
  CHECK(play.job(1) == "leg 0 pool 0: 1 to 10 preempted, lost 9 | refused at 10");
}

TEST_CASE("Flex and on-demand leases run undisturbed by requests", "[rules]") {
  WorldBuilder make = one_pool(1, spot());
  make.job({.at = 0s, .work = 20s, .job_class = 2});
  make.job({.at = 10s, .work = 5s, .job_class = 1});
  make.job({.at = 11s, .work = 5s, .job_class = 2});
  const Played play{make};
  CHECK(play.job(0) == "leg 2 pool 0: 0 to 20 | completed at 20");
  CHECK(play.job(1) == "refused at 10");
  CHECK(play.job(2) == "leg 2 pool 0: 20 to 25 | completed at 25");
}

TEST_CASE("When its restarts are used up, a job passes on to the leg after", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId first = make.pool(1);
  const PoolId second = make.pool(1);
  Policy once = patient_spot(0s);
  once.restarts = 1;
  make.leg({.policy = once, .places = {first}, .classes = {true, false}});
  make.leg({.policy = on_demand(), .places = {second}, .classes = {true, false}});
  make.leg({.policy = on_demand(), .places = {first}, .classes = {false, true}});
  make.job({.at = 0s, .work = 50s});
  make.job({.at = 10s, .work = 5s, .job_class = 1});
  make.job({.at = 30s, .work = 5s, .job_class = 1});
  // Reclaimed at 10; restart refused at 10, retry at 20; reclaimed at 30, no restart left: second leg
  // at 30.
  CHECK(Played{make}.job(0) ==
        "leg 0 pool 0: 0 to 10 preempted, lost 10 | leg 0 pool 0: 20 to 30 preempted, lost 10 | leg 1 pool "
        "1: 30 to 80 | completed at 80");
}

TEST_CASE("A rise of capacity lets a delayed lease begin", "[rules]") {
  Policy row = spot();
  row.notice = 30s;
  WorldBuilder make = one_pool(2, row);
  make.step(PoolId{0}, 10s, 1);
  make.job({.at = 0s, .work = 100s, .gpus = 2});      // leaving from 10 to 40
  make.job({.at = 15s, .work = 5s, .job_class = 1});  // granted at 15, but 2 + 1 are on 1
  SECTION("when the leaving machines are gone") {
    CHECK(Played{make}.job(1) == "leg 1 pool 0: 15 works 40 to 45 | completed at 45");
  }
  SECTION("or there is room for both") {
    make.step(PoolId{0}, 30s, 3);
    CHECK(Played{make}.job(1) == "leg 1 pool 0: 15 works 30 to 35 | completed at 35");
  }
}

TEST_CASE("Delayed leases begin in the order of their grants", "[rules]") {
  WorldBuilder make = one_pool(3, patient_spot(30s));
  make.job({.at = 0s, .work = 20s, .gpus = 1});
  make.job({.at = 1s, .work = 100s, .gpus = 2});
  make.job({.at = 10s, .work = 100s, .gpus = 2, .job_class = 1});  // reclaims job 1, gone at 40
  make.job({.at = 11s, .work = 100s, .gpus = 1, .job_class = 1});  // reclaims job 0, which is done at 20
  // At 20 one GPU is free: too little for job 2, and job 3 does not overtake it.
  const Played play{make};
  CHECK(play.job(2) == "leg 1 pool 0: 10 works 40 to 140 | completed at 140");
  CHECK(play.job(3) == "leg 1 pool 0: 11 works 40 to 140 | completed at 140");
}

TEST_CASE("A delayed lease that is reclaimed ends with its notice and never starts", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId pool = make.pool(1);
  make.step(pool, 10s, 0);
  make.step(pool, 12s, 1);
  make.step(pool, 20s, 0);
  Policy noticed = spot();
  noticed.notice = 5s;
  noticed.restarts = 0;
  make.leg({.policy = patient_spot(30s), .places = {pool}, .classes = {true, false}});
  make.leg({.policy = noticed, .places = {pool}, .classes = {false, true}});
  make.world.end = RunEnd::time;
  make.world.window_end = kStart + 60s;
  make.job({.at = 0s, .work = 100s});                   // leaving from 10 to 40
  make.job({.at = 15s, .work = 100s, .job_class = 1});  // granted at 15, would begin at 40; reclaimed at 20
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 40 preempted, lost 40 | unfinished at 60");
  CHECK(play.job(1) == "leg 1 pool 0: 15 works 25 to 25 preempted | failed at 25");
}

TEST_CASE("By the rule random, the least of one word for each lease goes first", "[rules]") {
  std::set<std::size_t> victims;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    WorldBuilder make = one_pool(3, spot());
    make.world.seed = seed;
    make.world.pools[0].reclaim = ReclaimRule::random;
    for (int i = 0; i < 3; ++i) make.job({.at = 0s, .work = 100s});
    make.job({.at = 10s, .work = 5s, .job_class = 1});
    std::array<std::uint64_t, 3> words{};  // source 0, rows 0 to 2, attempt 1
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = Draw{seed, 0, Purpose::victim, i, 1}();
    const auto victim = static_cast<std::size_t>(std::ranges::min_element(words) - words.begin());
    victims.insert(victim);
    const Played play{make};
    for (std::size_t i = 0; i < words.size(); ++i) {
      CHECK(play.job(i) == (i == victim ? "leg 0 pool 0: 0 to 10 preempted, lost 10 | refused at 10"
                                        : "leg 0 pool 0: 0 to 100 | completed at 100"));
    }
  }
  CHECK(victims.size() > 1);
}

TEST_CASE("By the rule smallest_loss, the least GPU-time lost goes first, then the latest grant", "[rules]") {
  const auto world = [](std::int64_t wanted, JobSpec third, SimDuration notice = 0s) {
    Policy row = spot();
    row.notice = notice;
    WorldBuilder make = one_pool(4, row);
    make.world.pools[0].reclaim = ReclaimRule::smallest_loss;
    make.job({.at = 0s, .work = 100s});  // at 10 it would lose 1 x 10
    make.job({.at = 2s, .work = 100s});  // 1 x 8
    make.job(third);
    make.job({.at = 10s, .work = 5s, .gpus = wanted, .job_class = 1});
    return make;
  };
  const JobSpec two_gpus{.at = 5s, .work = 100s, .gpus = 2};  // 2 x 5
  SECTION("the second job, neither the newest nor the oldest") {
    const Played play{world(1, two_gpus)};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 100 | completed at 100");
    CHECK(play.job(1) == "leg 0 pool 0: 2 to 10 preempted, lost 8 | refused at 10");
    CHECK(play.job(2) == "leg 0 pool 0: 5 to 105 | completed at 105");
  }
  SECTION("of the equal first and third the later; its two GPUs spare the second") {
    const Played play{world(2, two_gpus)};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 100 | completed at 100");
    CHECK(play.job(1) == "leg 0 pool 0: 2 to 102 | completed at 102");
    CHECK(play.job(2) == "leg 0 pool 0: 5 to 10 preempted, lost 5 | refused at 10");
  }
  SECTION("GPUs that the job does not use lose nothing") {
    const Played play{world(1, {.at = 5s, .work = 100s, .gpus = 1, .unused = 1})};  // 1 x 5
    CHECK(play.job(1) == "leg 0 pool 0: 2 to 102 | completed at 102");
    CHECK(play.job(2) == "leg 0 pool 0: 5 to 10 preempted, lost 5 | refused at 10");
  }
  SECTION("nothing is lost where a last checkpoint fits: the latest grant") {
    WorldBuilder make = world(1, two_gpus, 30s);
    make.world.classes[0] = {
        .name = "class 0", .checkpoint_every = 50s, .checkpoint_cost = 3s, .checkpoint_in_notice = true};
    const Played play{make};
    CHECK(play.job(1) == "leg 0 pool 0: 2 to 105 | completed at 105");
    CHECK(play.job(2) == "leg 0 pool 0: 5 to 13 preempted | refused at 13");
    CHECK(play.job(3) == "leg 1 pool 0: 10 works 13 to 18 | completed at 18");
  }
}

TEST_CASE("A last checkpoint within the notice keeps all work done", "[rules]") {
  Policy row = patient_spot(30s);
  JobClass job_class{
      .name = "class 0", .checkpoint_every = 40s, .checkpoint_cost = 5s, .checkpoint_in_notice = true};
  job_class.reload = 2s;
  const auto world = [&](SimDuration work) {
    WorldBuilder make = one_pool(1, row);
    make.world.classes[0] = job_class;
    make.job({.at = 0s, .work = work});
    make.job({.at = 10s, .work = 5s, .job_class = 1});  // reclaims job 0 at 10
    return make;
  };
  // Written from 10 to 15; job 1 until 20; refused at 15, retry at 25; 90 left: 90 + 2 x 5.
  const char* saved = "leg 0 pool 0: 0 to 15 preempted | leg 0 pool 0: 25 works 27 to 127 | completed at 127";
  SECTION("and the lease ends when it is written") {
    const Played play{world(100s)};
    CHECK(play.job(0) == saved);
    CHECK(play.job(1) == "leg 1 pool 0: 10 works 15 to 20 | completed at 20");
  }
  SECTION("a notice of just its length is enough") {
    row.notice = 5s;
    CHECK(Played{world(100s)}.job(0) == saved);
  }
  SECTION("where it does not fit, work goes on to the end of the notice and is lost") {
    row.notice = 4s;
    CHECK(Played{world(100s)}.job(0) ==
          "leg 0 pool 0: 0 to 14 preempted, lost 14 | leg 0 pool 0: 24 to 134 | completed at 134");
  }
  SECTION("none is written before work has begun") {
    row.start_up = {.a = 20s};
    CHECK(Played{world(100s)}.job(0) ==
          "leg 0 pool 0: 0 works 20 to 40 preempted, lost 20 | leg 0 pool 0: 50 works 70 to 180 | completed "
          "at 180");
  }
  SECTION("nor by a class that writes no checkpoints") {
    job_class.checkpoint_every = 0s;
    CHECK(Played{world(100s)}.job(0) ==
          "leg 0 pool 0: 0 to 40 preempted, lost 40 | leg 0 pool 0: 50 to 150 | completed at 150");
  }
  SECTION("work that is done by then is done") {
    CHECK(Played{world(14s)}.job(0) == "leg 0 pool 0: 0 to 14 | completed at 14");
    CHECK(Played{world(15s)}.job(0) == "leg 0 pool 0: 0 to 15 | completed at 15");
  }
  SECTION("work that would be done later within the notice is not waited for") {
    CHECK(Played{world(16s)}.job(0) ==
          "leg 0 pool 0: 0 to 15 preempted | leg 0 pool 0: 25 works 27 to 33 | completed at 33");
  }
}
