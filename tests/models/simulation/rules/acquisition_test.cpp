// How a job gets its GPUs: legs, places, races, retries (design, section 7; models/simulation/README.md,
// sections 3 and 13). Times in seconds. Every world is run by both implementations. Jobs of class 1,
// "blockers", hold pools busy.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// Class 0 is what is tested; class 1 takes a pool of one GPU for a while.
struct Blocked {
  Blocked() {
    make.world.classes.resize(3);
    make.world.strategies[0].name = "tested";
  }

  /// A pool of one GPU that is busy from 0 to `until`.
  PoolId pool(SimDuration until, Discipline discipline = Discipline::first_fit) {
    const PoolId pool = make.pool(1, discipline);
    make.tenant_leg({.policy = on_demand(), .places = {pool}, .classes = class_of_pool(pool)});
    make.tenant({.at = 0s, .work = until, .job_class = index(pool)});
    return pool;
  }

  WorldBuilder make;

 private:
  /// Tenants' leg for pool n is open to class n, so that each blocker finds its own pool.
  static std::vector<bool> class_of_pool(PoolId pool) {
    std::vector<bool> classes(3, false);
    classes[index(pool)] = true;
    return classes;
  }
};

Policy on_demand_with(Tries retries, SimDuration every) {
  Policy policy = on_demand();
  policy.retries = retries;
  policy.retry_interval = every;
  return policy;
}

}  // namespace

TEST_CASE("An at-once leg tries its places in order, in one instant", "[rules]") {
  Blocked blocked;
  const PoolId first = blocked.pool(100s);
  const PoolId second = blocked.pool(10s);
  const PoolId third = blocked.make.pool(1);
  blocked.make.leg({.policy = on_demand(), .places = {first, second, third}});
  blocked.make.job({.at = 5s, .work = 30s});
  blocked.make.job({.at = 10s, .work = 30s});  // the second place is free at 10
  blocked.make.job({.at = 20s, .work = 30s});
  const Played play{blocked.make};
  CHECK(play.job(0) == "leg 0 pool 2: 5 to 35 | completed at 35");
  CHECK(play.job(1) == "leg 0 pool 1: 10 to 40 | completed at 40");
  CHECK(play.job(2) == "refused at 20");
}

TEST_CASE("The request granted first wins a race, the others are withdrawn", "[rules]") {
  Blocked blocked;
  const PoolId slow = blocked.pool(30s, Discipline::fifo);
  const PoolId fast = blocked.pool(20s);
  blocked.make.leg({.policy = flex(), .places = {slow, fast}});
  blocked.make.job({.at = 1s, .work = 50s});  // waits in both; pool 1 at 20
  blocked.make.job({.at = 2s, .work = 50s});  // then head of the queue of pool 0: 30
  const Played play{blocked.make};
  CHECK(play.job(0) == "leg 0 pool 1: 20 to 70 | completed at 70");
  CHECK(play.job(1) == "leg 0 pool 0: 30 to 80 | completed at 80");
}

TEST_CASE("Retries are made at their interval and counted", "[rules]") {
  Blocked blocked;
  const PoolId pool = blocked.pool(25s);
  blocked.make.job({.at = 500ms, .work = 10s});
  SECTION("two are not enough: 0.5, 10.5, 20.5") {
    blocked.make.leg({.policy = on_demand_with(2, 10s), .places = {pool}});
    CHECK(Played{blocked.make}.job(0) == "failed at 20.500");
  }
  SECTION("the third finds room at 30.5") {
    blocked.make.leg({.policy = on_demand_with(3, 10s), .places = {pool}});
    CHECK(Played{blocked.make}.job(0) == "leg 0 pool 0: 30.500 to 40.500 | completed at 40.500");
  }
  SECTION("no retry allowed: refused, not failed") {
    blocked.make.leg({.policy = on_demand(), .places = {pool}});
    CHECK(Played{blocked.make}.job(0) == "refused at 0.500");
  }
}

TEST_CASE("A retry starts at the first leg again", "[rules]") {
  Blocked blocked;
  const PoolId first = blocked.pool(17s);
  const PoolId second = blocked.pool(100s);
  blocked.make.leg({.policy = flex(), .places = {first}, .limit = 5s});
  blocked.make.leg({.policy = on_demand_with(1, 10s), .places = {second}});
  blocked.make.job({.at = 1s, .work = 10s});
  // 1: flex; 6: on demand, refused; 16: flex again, granted at 17 within its 5 s.
  CHECK(Played{blocked.make}.job(0) == "leg 0 pool 0: 17 to 27 | completed at 27");
}

TEST_CASE("When a leg is exhausted the next one is entered at the same instant", "[rules]") {
  Blocked blocked;
  const PoolId first = blocked.pool(100s);
  const PoolId second = blocked.pool(8s);
  Policy impatient = flex();
  impatient.max_wait = 3s;
  blocked.make.leg({.policy = on_demand(), .places = {first}});
  blocked.make.leg(
      {.policy = impatient, .places = {first}, .limit = 5s});  // the shorter of limit and maximum wait
  blocked.make.leg({.policy = flex(), .places = {second}, .limit = 5s});
  blocked.make.job({.at = 1s, .work = 10s});  // 1: refused, flex; 4: second flex, granted at 8
  blocked.make.job({.at = 2s, .work = 10s});  // 2: refused, flex; 5: second flex; 10: the last leg expires
  const Played play{blocked.make};
  CHECK(play.job(0) == "leg 2 pool 1: 8 to 18 | completed at 18");
  CHECK(play.job(1) == "expired at 10");
}

TEST_CASE("A leg with limit 0 is tried for the instant only", "[rules]") {
  Blocked blocked;
  const PoolId first = blocked.pool(10s);
  const PoolId second = blocked.make.pool(1);
  blocked.make.leg({.policy = flex(), .places = {first}, .limit = 0s});
  blocked.make.leg({.policy = on_demand(), .places = {second}});
  blocked.make.job({.at = 5s, .work = 10s});   // pool 0 busy: on at 5
  blocked.make.job({.at = 10s, .work = 10s});  // pool 0 free at 10
  const Played play{blocked.make};
  CHECK(play.job(0) == "leg 1 pool 1: 5 to 15 | completed at 15");
  CHECK(play.job(1) == "leg 0 pool 0: 10 to 20 | completed at 20");
}

TEST_CASE("Passing on closes the earlier leg unless it is kept", "[rules]") {
  Blocked blocked;
  const PoolId first = blocked.pool(20s);
  const PoolId second = blocked.pool(30s);
  blocked.make.job({.at = 1s, .work = 10s});
  SECTION("kept: the first leg is granted at 20, the second is withdrawn") {
    blocked.make.leg({.policy = flex(), .places = {first}, .limit = 5s, .keep = true});
    blocked.make.leg({.policy = flex(), .places = {second}});
    CHECK(Played{blocked.make}.job(0) == "leg 0 pool 0: 20 to 30 | completed at 30");
  }
  SECTION("not kept: the second leg is granted at 30") {
    blocked.make.leg({.policy = flex(), .places = {first}, .limit = 5s});
    blocked.make.leg({.policy = flex(), .places = {second}});
    CHECK(Played{blocked.make}.job(0) == "leg 1 pool 1: 30 to 40 | completed at 40");
  }
  SECTION("after the last leg the job waits for what it kept") {
    blocked.make.leg({.policy = flex(), .places = {first}, .limit = 5s, .keep = true});
    blocked.make.leg({.policy = on_demand(), .places = {second}});  // refused at 6
    CHECK(Played{blocked.make}.job(0) == "leg 0 pool 0: 20 to 30 | completed at 30");
  }
}

TEST_CASE("A retry finds its kept request in its old place", "[rules]") {
  Blocked blocked;
  const PoolId first = blocked.pool(40s, Discipline::fifo);
  const PoolId second = blocked.pool(100s);
  blocked.make.leg({.policy = flex(), .places = {first}, .limit = 5s, .keep = true});
  blocked.make.leg({.policy = on_demand_with(1, 10s), .places = {second}});
  blocked.make.job(
      {.at = 1s, .work = 10s});  // 1 flex, 6 refused, 16 flex again in its place of 1, 21 refused: waits
  blocked.make.job({.at = 7s, .work = 10s});  // behind it
  const Played play{blocked.make};
  CHECK(play.job(0) == "leg 0 pool 0: 40 to 50 | completed at 50");
  CHECK(play.job(1) == "leg 0 pool 0: 50 to 60 | completed at 60");
}

TEST_CASE("A request that was kept does not come back when the lease of another is preempted", "[rules]") {
  Blocked blocked;
  const PoolId first = blocked.pool(50s, Discipline::fifo);
  const PoolId second = blocked.make.pool(1);
  blocked.make.step(second, 10s, 0);
  blocked.make.leg({.policy = flex(), .places = {first}, .limit = 5s, .keep = true});
  blocked.make.leg({.policy = spot(), .places = {second}});
  blocked.make.job({.at = 1s, .work = 10s});  // its request is kept at 6, and withdrawn by the grant then
  blocked.make.job({.at = 7s, .work = 10s});  // before the other's request of 10
  const Played play{blocked.make};
  CHECK(play.job(0) == "leg 1 pool 1: 6 to 10 preempted, lost 4 | leg 0 pool 0: 60 to 70 | completed at 70");
  CHECK(play.job(1) == "leg 0 pool 0: 50 to 60 | completed at 60");
}

TEST_CASE("What no pool could ever hold is refused at once, and blocks no queue", "[rules]") {
  WorldBuilder make;
  const PoolId small = make.pool(2, Discipline::fifo);
  const PoolId large = make.pool(2);
  make.step(large, 50s, 4);
  make.leg({.policy = flex(), .places = {small, large}});
  make.job({.at = 0s, .work = 10s, .gpus = 5});  // more than pool 1 ever has
  make.job({.at = 0s, .work = 10s, .gpus = 4});  // pool 1 from 50 on; it does not stand in pool 0's queue
  make.job({.at = 1s, .work = 10s, .gpus = 2});
  const Played play{make};
  CHECK(play.job(0) == "refused at 0");
  CHECK(play.job(1) == "leg 0 pool 1: 50 to 60 | completed at 60");
  CHECK(play.job(2) == "leg 0 pool 0: 1 to 11 | completed at 11");
}

TEST_CASE("A leg may be closed to some job classes", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(3);
  const PoolId first = make.pool(1);
  const PoolId second = make.pool(1);
  make.leg({.policy = on_demand(), .places = {first}, .classes = {true, false, false}});
  make.leg({.policy = on_demand(), .places = {second}, .classes = {true, true, false}});
  make.job({.at = 0s, .work = 10s, .job_class = 1});
  make.job({.at = 0s, .work = 10s, .job_class = 0});
  make.job({.at = 0s, .work = 10s, .job_class = 2});
  const Played play{make};
  CHECK(play.job(0) == "leg 1 pool 1: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(2) == "refused at 0");
}

TEST_CASE("A job's own maximum wait ends whatever it waits for, until its first grant", "[rules]") {
  Blocked blocked;
  const PoolId pool = blocked.pool(60s);
  SECTION("in a queue") {
    blocked.make.leg({.policy = flex(), .places = {pool}});
    blocked.make.job({.at = 1s, .work = 10s, .max_wait = 7s});
    CHECK(Played{blocked.make}.job(0) == "expired at 8");
  }
  SECTION("between two retries") {
    blocked.make.leg({.policy = on_demand_with(kUnlimited, 10s), .places = {pool}});
    blocked.make.job({.at = 1s, .work = 10s, .max_wait = 25s});
    CHECK(Played{blocked.make}.job(0) == "expired at 26");
  }
  SECTION("waiting for what it kept after the last leg") {
    blocked.make.leg({.policy = flex(), .places = {pool}, .limit = 5s, .keep = true});
    blocked.make.job({.at = 1s, .work = 10s, .max_wait = 25s});
    CHECK(Played{blocked.make}.job(0) == "expired at 26");
  }
  SECTION("not once it was granted") {
    const PoolId falling = blocked.make.pool(1);
    blocked.make.step(falling, 10s, 0);
    blocked.make.leg({.policy = spot(), .places = {falling}});
    blocked.make.leg({.policy = flex(), .places = {pool}});
    blocked.make.job({.at = 1s, .work = 30s, .max_wait = 20s});
    // Reclaimed at 10, refused there, waits in pool 0 from 10 to 60.
    CHECK(Played{blocked.make}.job(0) ==
          "leg 0 pool 1: 1 to 10 preempted, lost 9 | leg 1 pool 0: 60 to 90 | completed at 90");
  }
}

TEST_CASE("A group has so many jobs open at a time", "[rules]") {
  WorldBuilder make;
  make.world.classes[0].parallel = 2;
  make.leg({.policy = flex(), .places = {make.pool(3)}});
  make.job({.at = 0s, .work = 10s, .group = 1});
  make.job({.at = 0s, .work = 15s, .group = 1});
  make.job(
      {.at = 0s, .work = 10s, .max_wait = 5s, .group = 1});  // let go at 10; its own wait counts from there
  make.job({.at = 0s, .work = 10s, .group = 1});             // let go at 15
  make.job({.at = 0s, .work = 10s, .group = 2});             // another group
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 0 to 15 | completed at 15");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(3) == "leg 0 pool 0: 15 to 25 | completed at 25");
  CHECK(play.job(4) == "leg 0 pool 0: 0 to 10 | completed at 10");
}

TEST_CASE("Jobs of a group and of another class have the limit of their own class", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(3, make.world.classes[0]);
  make.world.classes[1].parallel = 1;
  make.world.classes[2].parallel = 2;
  make.leg({.policy = flex(), .places = {make.pool(9)}});
  make.job({.at = 0s, .work = 10s, .job_class = 0, .group = 1});  // no limit, and in nobody's way
  make.job({.at = 0s, .work = 20s, .job_class = 1, .group = 1});
  make.job({.at = 0s, .work = 10s, .job_class = 1, .group = 1});  // let go at 20
  make.job({.at = 0s, .work = 10s, .job_class = 2, .group = 1});
  make.job({.at = 0s, .work = 15s, .job_class = 2, .group = 1});
  make.job({.at = 0s, .work = 10s, .job_class = 2, .group = 1});  // let go at 10
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 0: 0 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 0 pool 0: 20 to 30 | completed at 30");
  CHECK(play.job(4) == "leg 0 pool 0: 0 to 15 | completed at 15");
  CHECK(play.job(5) == "leg 0 pool 0: 10 to 20 | completed at 20");
}

TEST_CASE("A group lets its jobs go in order of arrival, whatever their rows are", "[rules]") {
  WorldBuilder make;
  make.world.classes[0].parallel = 1;
  make.leg({.policy = on_demand(), .places = {make.pool(1)}});
  make.job({.at = 5s, .work = 10s, .group = 1});  // row 0
  make.job({.at = 1s, .work = 10s, .group = 1});  // row 1
  make.job({.at = 0s, .work = 10s, .group = 1});  // row 2
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 0 pool 0: 20 to 30 | completed at 30");
}

TEST_CASE("A request of more machines than the row allows is refused at once", "[rules]") {
  WorldBuilder make;
  const PoolId pool = make.pool(8);
  Policy small = flex();
  small.machines_max = 2;
  make.leg({.policy = small, .places = {pool}});
  make.leg({.policy = on_demand(), .places = {pool}});
  make.job({.at = 0s, .work = 10s, .gpus = 2});
  make.job({.at = 0s, .work = 10s, .gpus = 3});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 1 pool 0: 0 to 10 | completed at 10");
}
