// What can happen to capacity and how jobs cope, on worlds worked out on paper: moved ends, kept requests
// that end, health tests, faults, windows, bookings and deadline rules.

#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"
#include "tests/support/worlds/world_builder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

BillingRule to_the_millisecond() { return {.step = SimDuration{1}, .least = SimDuration{0}}; }

Booking booked(SimDuration decided, SimDuration gather) {
  return {.decided = kStart + decided, .gather = gather};
}

/// Two classes of jobs: class 0 may use the first leg only, class 1 the second.
void two_classes(WorldBuilder& make) { make.world.classes.push_back({.name = "class 1"}); }

}  // namespace

TEST_CASE("On a grid a lease ends on a multiple of it", "[rules]") {
  WorldBuilder make;
  make.world.grid = 10s;
  Policy row = on_demand();
  row.start_up = {.a = 4s};
  row.run_max = 24s;
  make.leg({.policy = row, .places = {make.pool(4)}});
  make.job({.at = 3s, .work = 25s});   // done at 24, which is its cut too: completed
  make.job({.at = 10s, .work = 30s});  // at 34 it is cut off; the machine is its own until 40
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 0: 0 works 4 to 30 | completed at 30");
  CHECK(played.job(1) == "leg 0 pool 0: 10 works 14 to 40, lost 20 | cut_off at 40");
  CHECK(played.usage(0) == "used 60 billed 120 | useful 20 redone 20 overhead 20");
}

TEST_CASE("A lease reclaimed between the end of its work and the grid has lost no more than its work",
          "[rules]") {
  WorldBuilder make;
  make.world.grid = 10s;
  const PoolId pool = make.pool(1);
  make.step(pool, 16s, 0);
  make.step(pool, 25s, 1);
  Policy row = spot();
  row.start_up = {.a = 4s};
  row.retries = kUnlimited;
  row.retry_interval = 10s;
  make.leg({.policy = row, .places = {pool}});
  make.job({.at = 0s, .work = 10s});  // done at 14, taken at 16
  const Played played{make};
  CHECK(played.job(0) ==
        "leg 0 pool 0: 0 works 4 to 16 preempted, lost 10 | leg 0 pool 0: 26 works 30 to 40 | completed at "
        "40");
}

TEST_CASE("A kept request ends with its model's own maximum wait", "[rules]") {
  WorldBuilder make;
  const PoolId full = make.pool(1);
  const PoolId other = make.pool(1);
  make.tenant_leg({.policy = on_demand(), .places = {full, other}});
  make.tenant({.at = 0s, .work = 100s});
  make.tenant({.at = 0s, .work = 100s});
  Policy row = flex();
  row.max_wait = 20s;
  make.leg({.policy = row, .places = {full}, .limit = 5s, .keep = true});
  SECTION("past its last leg the job is expired then") {
    make.job({.at = 1s, .work = 1s});
    CHECK(Played{make}.job(0) == "expired at 21");
  }
  SECTION("a job that is in another leg goes on") {
    make.leg({.policy = flex(), .places = {other}, .limit = 60s});
    make.job({.at = 1s, .work = 1s});
    CHECK(Played{make}.job(0) == "expired at 66");
  }
}

TEST_CASE("A job that came back to its kept request leaves the leg with it", "[rules]") {
  // In leg 0 from 0 to 5, refused in leg 1 at 5, back at 7. The request of 0 ends at 11: leg 1 is asked then,
  // not at 12, and again at 13, and a new request waits in leg 0 from 13 on.
  WorldBuilder make;
  const PoolId queue = make.pool(1);
  const PoolId spare = make.pool(0);
  make.step(spare, 11500ms, 1);
  make.step(spare, 12500ms, 0);
  make.tenant_leg({.policy = on_demand(), .places = {queue}});
  make.tenant({.at = 0s, .work = 14s});
  Policy waits = flex();
  waits.max_wait = 11s;
  make.leg({.policy = waits, .places = {queue}, .limit = 5s, .keep = true});
  Policy tries = spot();
  tries.retries = kUnlimited;
  tries.retry_interval = 2s;
  make.leg({.policy = tries, .places = {spare}});
  make.job({.at = 0s, .work = 1s});
  CHECK(Played{make}.job(0) == "leg 0 pool 0: 14 to 15 | completed at 15");
}

TEST_CASE("A gang works when the last of its machines is healthy", "[rules]") {
  WorldBuilder make;
  Policy row = on_demand();
  row.start_up = {.a = 1s};
  SECTION("nothing fails") {
    row.health = {.takes = 3s};
    make.leg({.policy = row, .places = {make.pool(4)}});
    make.job({.at = 0s, .work = 10s, .gpus = 4});
    CHECK(Played{make}.job(0) == "leg 0 pool 0: 0 works 4 to 14 | completed at 14");
  }
  SECTION("each failure costs a replacement and a test") {
    row.health = {.takes = 3s, .fails_ppm = 500'000, .replace = 2s};
    make.leg({.policy = row, .places = {make.pool(4)}});
    make.job({.at = 0s, .work = 10s, .gpus = 4});
    std::int64_t most = 0;
    for (std::uint64_t machine = 0; machine < 4; ++machine) {
      Draw draw{1, 0, Purpose::health, 0, (std::uint64_t{1} << 32) + machine};
      std::int64_t failures = 0;
      while (uniform01(draw) < 0.5) ++failures;
      most = std::max(most, failures);
    }
    REQUIRE(most > 0);
    const std::int64_t works = 1 + 3 + 5 * most;
    CHECK(Played{make}.job(0) ==
          fmt::format("leg 0 pool 0: 0 works {} to {} | completed at {}", works, works + 10, works + 10));
  }
}

TEST_CASE("A fault reclaims a lease and takes its machine out of the pool", "[rules]") {
  WorldBuilder make;
  make.world.classes[0].checkpoint_every = 4s;
  const PoolId pool = make.pool(4);
  make.world.pools[0].faults = {{.name = "fault", .life = {.a = 10s}, .notice = 2s, .repair = {.a = 5s}}};
  make.leg({.policy = flex(), .places = {pool}});
  make.job({.at = 0s, .work = 30s, .gpus = 4});
  make.job({.at = 11s, .work = 1s, .gpus = 3});  // three machines of four are left, free at 12
  const Played played{make};
  CHECK(played.job(0) ==
        "leg 0 pool 0: 0 to 12 preempted | leg 0 pool 0: 17 to 29 preempted | leg 0 pool 0: 34 to 40 | "
        "completed at 40");
  CHECK(played.job(1) == "leg 0 pool 0: 11 works 12 to 13 | completed at 13");
}

TEST_CASE("Of several rules the first fault counts, with its own notice", "[rules]") {
  WorldBuilder make;
  const PoolId pool = make.pool(1);
  make.world.pools[0].faults = {{.name = "late", .life = {.a = 9s}, .notice = 1s},
                                {.name = "early", .life = {.a = 8s}, .notice = 0s, .repair = {.a = 30s}},
                                {.name = "as early", .life = {.a = 8s}, .notice = 5s}};
  Policy row = spot();
  row.notice = 60s;
  row.restarts = 0;
  make.leg({.policy = row, .places = {pool}});
  make.job({.at = 0s, .work = 20s});
  make.job({.at = 37s, .work = 1s});
  make.job({.at = 38s, .work = 1s});
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 0: 0 to 8 preempted, lost 8 | failed at 8");
  CHECK(played.job(1) == "refused at 37");
  CHECK(played.job(2) == "leg 0 pool 0: 38 to 39 | completed at 39");
}

TEST_CASE("A held machine breaks too", "[rules]") {
  WorldBuilder make;
  make.world.classes[0].checkpoint_every = 5s;
  const PoolId held = make.held(make.pool(2), 2);
  make.world.held[0].pool.faults = {{.name = "fault", .life = {.a = 25s}, .repair = {.a = 20s}}};
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 0s, .work = 40s, .gpus = 2});
  make.job({.at = 1s, .work = 7s});
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 1: 0 to 25 preempted | leg 0 pool 1: 45 to 60 | completed at 60");
  CHECK(played.job(1) == "leg 0 pool 1: 25 to 32 | completed at 32");
}

TEST_CASE("A window ends: work is saved, waiting jobs go elsewhere, the parent pool has its machines back",
          "[rules]") {
  WorldBuilder make;
  make.world.billing = to_the_millisecond();
  make.world.classes[0].checkpoint_every = 10s;
  make.world.classes[0].checkpoint_cost = 2s;
  const PoolId zone = make.pool(4);
  const PoolId held = make.held(zone, 2);
  make.world.held[0].until = kStart + 20s;
  make.leg({.policy = reservation(), .places = {held}});
  make.leg({.policy = on_demand(), .places = {zone}});
  make.job({.at = 5s, .work = 30s, .gpus = 2});  // 10 s and a checkpoint by 17, 1 s more by 18, saved by 20
  make.job({.at = 6s, .work = 5s, .gpus = 2});
  make.job({.at = 21s, .work = 1s});
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 1: 5 to 20 | leg 1 pool 0: 20 to 41 | completed at 41");
  CHECK(played.job(1) == "leg 1 pool 0: 20 to 25 | completed at 25");
  CHECK(played.job(2) == "refused at 21");
  CHECK(played.usage(1) == "used 40 billed 40 | idle 10");
  CHECK(played.usage(2) == "used 30 billed 30 | useful 22 overhead 8");
}

TEST_CASE("A booking gathers machines, opens at its time and ends at its time", "[rules]") {
  WorldBuilder make;
  make.world.billing = to_the_millisecond();
  two_classes(make);
  const PoolId zone = make.pool(4);
  const PoolId held = make.held(zone, 3, 20s);
  make.world.held[0].until = kStart + 40s;
  make.world.held[0].booking = booked(0s, 10s);
  make.tenant_leg({.policy = on_demand(), .places = {zone}});
  make.tenant({.at = 0s, .work = 12s, .gpus = 2});
  make.leg({.policy = on_demand(), .places = {zone}, .classes = {true, false}});
  make.leg({.policy = reservation(), .places = {held}, .classes = {false, true}});
  make.job({.at = 9s, .work = 1s});    // nothing gathers yet
  make.job({.at = 10s, .work = 1s});   // 2 are free, 3 are gathered
  make.job({.at = 12s, .work = 10s});  // the booking has got 3 of 4
  make.job({.at = 14s, .work = 30s, .gpus = 3, .job_class = 1});
  make.job({.at = 40s, .work = 1s, .gpus = 4});
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 0: 9 to 10 | completed at 10");
  CHECK(played.job(1) == "refused at 10");
  CHECK(played.job(2) == "leg 0 pool 0: 12 to 22 | completed at 22");
  CHECK(played.job(3) == "leg 1 pool 1: 20 to 40, lost 20 | refused at 40");
  CHECK(played.job(4) == "leg 0 pool 0: 40 to 41 | completed at 41");
  CHECK(played.usage(1) == "used 60 billed 60 |");
}

TEST_CASE("A booking preempts spot leases and opens when their machines are there", "[rules]") {
  WorldBuilder make;
  make.world.billing = to_the_millisecond();
  const PoolId zone = make.pool(4);
  const PoolId held = make.held(zone, 2, 20s);
  make.world.held[0].until = kStart + 40s;
  make.world.held[0].booking = booked(0s, 5s);
  Policy row = spot();
  row.notice = 10s;
  row.restarts = 0;
  make.tenant_leg({.policy = row, .places = {zone}});
  make.tenant({.at = 0s, .work = 100s, .gpus = 4});  // reclaimed at 15, gone at 25
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 0s, .work = 5s});
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 1: 25 to 30 | completed at 30");
  CHECK(played.usage(1) == "used 30 billed 30 | idle 25");
}

TEST_CASE("With starts first a window's machines are free one instant later", "[rules]") {
  WorldBuilder make;
  make.world.ties = Ties::starts_first;
  const PoolId zone = make.pool(4);
  const PoolId held = make.held(zone, 3, 0s);
  make.world.held[0].until = kStart + 20s;
  make.leg({.policy = on_demand(), .places = {zone}});
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 20s, .work = 5s, .gpus = 3});
  make.job({.at = 20001ms, .work = 5s, .gpus = 3});
  const Played played{make};
  CHECK(played.job(0) == "refused at 20");
  CHECK(played.job(1) == "leg 0 pool 0: 20.001 to 25.001 | completed at 25.001");
}

TEST_CASE("A booking is refused where too much is promised already", "[rules]") {
  WorldBuilder make;
  const PoolId zone = make.pool(4);
  const PoolId first = make.held(zone, 3, 20s);
  const PoolId second = make.held(zone, 2, 30s);
  for (HeldPool& held : make.world.held) held.booking = booked(0s, 5s);
  make.world.held[0].until = kStart + 40s;
  make.world.held[1].until = kStart + 50s;
  make.world.held[1].booking->decided = kStart + 10s;
  make.leg({.policy = reservation(), .places = {second}});
  make.leg({.policy = reservation(), .places = {first}});
  SECTION("windows that meet share the capacity") {
    make.job({.at = 1s, .work = 5s, .gpus = 2});
    CHECK(Played{make}.job(0) == "leg 1 pool 1: 20 to 25 | completed at 25");
  }
  SECTION("windows that do not meet have it each for itself") {
    make.world.held[1].from = kStart + 40s;
    make.job({.at = 1s, .work = 5s, .gpus = 2});
    CHECK(Played{make}.job(0) == "leg 0 pool 2: 40 to 45 | completed at 45");
  }
  SECTION("only a share may be promised") {
    make.world.held[1].from = kStart + 40s;
    make.world.held[1].booking->bookable_ppm = 499'999;  // one of four
    make.job({.at = 1s, .work = 5s, .gpus = 2});
    CHECK(Played{make}.job(0) == "leg 1 pool 1: 20 to 25 | completed at 25");
  }
}

TEST_CASE("A deadline rule waits while it can, falls back, and returns when it is ahead", "[rules]") {
  WorldBuilder make;
  const PoolId cheap = make.pool(1);
  const PoolId safe = make.pool(1);
  make.world.strategies[0].deadline_rule = DeadlineRule{.tick = 10s, .overhead = 1s};
  make.leg({.policy = spot(), .places = {cheap}});
  make.leg({.policy = on_demand(), .places = {safe}});
  SECTION("cheap as long as it lasts") {
    make.job({.at = 0s, .work = 40s, .deadline = 100s});
    CHECK(Played{make}.job(0) == "leg 0 pool 0: 0 to 40 | completed at 40");
  }
  SECTION("behind and without checkpoints: safe for good") {
    make.step(cheap, 15s, 0);
    make.step(cheap, 35s, 1);
    make.job({.at = 0s, .work = 40s, .deadline = 100s});
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 15 preempted, lost 15 | leg 1 pool 1: 15 to 55 | completed at 55");
  }
  SECTION("with checkpoints it waits until it is behind, and goes back when it is ahead") {
    // At 15: 10 s of 40 are done, 10 x 100 >= 15 x 40: it waits. At 30 it is behind. At 40: 19 s are done,
    // (40 + 2) x 40 < 19 x 100: back to cheap, one second later since a checkpoint is written.
    make.world.classes[0].checkpoint_every = 5s;
    make.world.classes[0].checkpoint_cost = 1s;
    make.step(cheap, 15s, 0);
    make.step(cheap, 35s, 1);
    make.job({.at = 0s, .work = 40s, .deadline = 100s});
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 15 preempted, lost 3 | leg 1 pool 1: 30 to 41 | leg 0 pool 0: 41 to 66 | "
          "completed at 66");
  }
  SECTION("too late for cheap from the start") {
    make.job({.at = 0s, .work = 40s, .deadline = 50s});  // 40 + 2, in ticks: 50, and 50 are left
    CHECK(Played{make}.job(0) == "leg 1 pool 1: 0 to 40 | completed at 40");
  }
  SECTION("without a deadline it waits for cheap") {
    make.step(cheap, 15s, 0);
    make.step(cheap, 33s, 1);
    make.job({.at = 0s, .work = 20s});
    CHECK(Played{make}.job(0) ==
          "leg 0 pool 0: 0 to 15 preempted, lost 15 | leg 0 pool 0: 40 to 60 | completed at 60");
  }
  SECTION("no leg could ever hold it") {
    make.job({.at = 3s, .work = 20s, .gpus = 2});
    CHECK(Played{make}.job(0) == "refused at 3");
  }
}
