// Elastic pools (models/simulation/README.md, section 12). Times in seconds.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

BillingRule to_the_millisecond() { return {.step = SimDuration{1}, .least = SimDuration{0}}; }

}  // namespace

TEST_CASE("An elastic pool gets machines when jobs wait and releases them when they are idle", "[rules]") {
  WorldBuilder make;
  make.world.billing = to_the_millisecond();
  const PoolId held = make.held(make.pool(4), 3);
  make.world.held[0].scaling = Scaling{.idle_after = 10s, .cold_start = {.a = 2s}};
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 5s, .work = 10s, .gpus = 2});
  make.job({.at = 20s, .work = 3s});  // idle since 17 and 17; the younger of them is not idle any more
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 1: 7 to 17 | completed at 17");
  CHECK(played.job(1) == "leg 0 pool 1: 20 to 23 | completed at 23");
  CHECK(played.usage(1) == "used 46 billed 46 | idle 23");  // there from 7 to 27 and from 7 to 33
}

TEST_CASE("An elastic pool takes what there is and asks again", "[rules]") {
  WorldBuilder make;
  make.world.billing = to_the_millisecond();
  const PoolId zone = make.pool(4);
  const PoolId held = make.held(zone, 4, 0s, 30s);
  make.world.held[0].scaling = Scaling{.least = MachineCount{1}, .idle_after = kForever};
  make.world.held[0].until = kStart + 50s;
  make.tenant_leg({.policy = on_demand(), .places = {zone}});
  make.tenant({.at = 1s, .work = 15s, .gpus = 2});
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 2s, .work = 5s, .gpus = 3});  // two machines are there at 2, the third at 32
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 1: 32 to 37 | completed at 37");
  CHECK(played.usage(1) == "used 116 billed 116 | idle 101");
}

TEST_CASE("Machines do not go soon after others were added", "[rules]") {
  WorldBuilder make;
  make.world.billing = to_the_millisecond();
  const PoolId held = make.held(make.pool(4), 3);
  make.world.held[0].scaling = Scaling{.idle_after = 4s, .after_add = 15s, .cold_start = {.a = 2s}};
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 5s, .work = 3s});              // granted at 5, idle from 10: it would go at 20
  make.job({.at = 12s, .work = 3s, .gpus = 2});  // a second machine is granted at 12: both go at 27
  make.job({.at = 40s, .work = 20s});            // granted at 40, and not kept for longer than it is idle
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 1: 7 to 10 | completed at 10");
  CHECK(played.job(1) == "leg 0 pool 1: 14 to 17 | completed at 17");
  CHECK(played.job(2) == "leg 0 pool 1: 42 to 62 | completed at 62");
  // There from 7 to 27, from 14 to 27, and from 42 to 66.
  CHECK(played.usage(1) == "used 57 billed 57 | idle 28");
}

TEST_CASE("The minimum of an elastic pool is raised for a while", "[rules]") {
  WorldBuilder make;
  make.world.billing = to_the_millisecond();
  const PoolId zone = make.pool(4);
  const PoolId held = make.held(zone, 3, 0s, 6s);
  make.world.held[0].scaling = Scaling{.steps = {{.at = kStart + 10s, .least = MachineCount{3}},
                                                 {.at = kStart + 40s, .least = MachineCount{1}}},
                                       .idle_after = 5s,
                                       .cold_start = {.a = 2s}};
  make.world.held[0].until = kStart + 50s;
  make.tenant_leg({.policy = on_demand(), .places = {zone}});
  make.tenant({.at = 1s, .work = 12s, .gpus = 2});
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 11s, .work = 4s});   // two machines are granted at 10, and there at 12
  make.job({.at = 17s, .work = 30s});  // the third is asked for again at 16, and there at 18
  make.job(
      {.at = 39s, .work = 2s});  // of the machines idle since 12 and 18 the younger; the other stays idle
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 1: 12 to 16 | completed at 16");
  CHECK(played.job(1) == "leg 0 pool 1: 17 to 47 | completed at 47");
  CHECK(played.job(2) == "leg 0 pool 1: 39 to 41 | completed at 41");
  // At 40 the minimum is 1 again, and one machine was idle for long: from 12 to 40. The next goes 5 s after
  // job 2: from 12 to 46. The last stays: from 18 to 50.
  CHECK(played.usage(1) == "used 94 billed 94 | idle 58");
}

TEST_CASE("An elastic pool's machines preempt spot leases", "[rules]") {
  WorldBuilder make;
  make.world.billing = to_the_millisecond();
  const PoolId zone = make.pool(2);
  const PoolId held = make.held(zone, 2);
  make.world.held[0].scaling = Scaling{.idle_after = 4s};
  Policy row = spot();
  row.notice = 3s;
  row.restarts = 0;
  make.tenant_leg({.policy = row, .places = {zone}});
  make.tenant({.at = 0s, .work = 100s});
  make.tenant({.at = 0s, .work = 100s});
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 10s, .work = 5s});
  make.job({.at = 21s, .work = 1s});  // it would have been given back at 22
  const Played played{make};
  CHECK(played.job(0) == "leg 0 pool 1: 13 to 18 | completed at 18");
  CHECK(played.job(1) == "leg 0 pool 1: 21 to 22 | completed at 22");
  CHECK(played.usage(1) == "used 13 billed 13 | idle 7");  // from 13 to 26
}
