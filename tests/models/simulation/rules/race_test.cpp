// Races in several places (models/simulation/README.md, section 11). Times in seconds.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// Two zone pools of one GPU, and a race in both.
struct TwoZones {
  /// Free from these times on.
  TwoZones(SimDuration first, SimDuration second) {
    make.world.classes.resize(3);
    pool(first);
    pool(second);
  }

  PoolId pool(SimDuration until) {
    const PoolId pool = make.pool(1);
    if (until == 0s) return pool;
    std::vector<bool> classes(3, false);
    classes[index(pool)] = true;
    make.tenant_leg({.policy = on_demand(), .places = {pool}, .classes = classes});
    make.tenant({.at = 0s, .work = until, .job_class = index(pool)});
    return pool;
  }

  Played play() {
    make.leg({.policy = policy, .places = {PoolId{0}, PoolId{1}}, .limit = limit, .race = Race::first_boot});
    return Played{make};
  }

  WorldBuilder make;
  Policy policy = slow();
  SimDuration limit = kForever;

 private:
  static Policy slow() {
    Policy policy = flex();
    policy.provisioning = Law{.a = 30s};
    return policy;
  }
};

GpuTime waiting(const Played& play, std::size_t pool) { return play.record().pools[pool].phantom_waiting; }
GpuTime leased(const Played& play, std::size_t pool) { return play.record().pools[pool].phantom_leased; }

}  // namespace

TEST_CASE("In a race to the first boot rivals are held until one of them works", "[rules]") {
  TwoZones zones{10s, 20s};
  zones.make.job({.at = 1s, .work = 100s});
  const Played play = zones.play();
  CHECK(play.job(0) ==
        "leg 0 pool 0: 10 works 40 to 140 | leg 0 pool 1: 20 works 40 to 40 | completed at 140");
  CHECK(waiting(play, 0) == GpuTime{});
  CHECK(waiting(play, 1) == GpuTime{});
  CHECK(leased(play, 0) == GpuTime{});
  CHECK(leased(play, 1) == GpuTime{20'000});
  const JobOutcome outcome = play.record().jobs.at(0);
  CHECK(outcome.leased == 130s);  // rivals counted once
  CHECK(outcome.start_delay == 30s);
  CHECK(outcome.preemptions == 0);
  CHECK(play.usage(1) == "used 0 billed 0 | overhead 20");  // its machines were not up yet
}

TEST_CASE("A rival that is up is paid for until it has lost", "[rules]") {
  TwoZones zones{10s, 20s};
  zones.policy.provisioning = {};
  zones.policy.start_up = Law{.a = 30s};
  zones.make.job({.at = 1s, .work = 100s});
  const Played play = zones.play();
  CHECK(play.usage(0) == "used 130 billed 130 | useful 100 overhead 30");
  CHECK(play.usage(1) == "used 20 billed 60 | overhead 20");
  const auto lost = play.record().phantom.hours({PriceLineId{1}, UserId{}, ClassId{}});
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].billed.count() == 60'000);
  CHECK(play.record().phantom.keys().size() == 1);
}

TEST_CASE("The first boot withdraws what still waits, the first grant does so at once", "[rules]") {
  TwoZones zones{10s, 500s};
  zones.make.job({.at = 1s, .work = 100s});
  SECTION("first boot") {
    const Played play = zones.play();
    CHECK(play.job(0) == "leg 0 pool 0: 10 works 40 to 140 | completed at 140");
    CHECK(waiting(play, 1) == GpuTime{39'000});
  }
  SECTION("first grant") {
    zones.make.leg({.policy = zones.policy, .places = {PoolId{0}, PoolId{1}}});
    const Played play{zones.make};
    CHECK(play.job(0) == "leg 0 pool 0: 10 works 40 to 140 | completed at 140");
    CHECK(waiting(play, 0) == GpuTime{});
    CHECK(waiting(play, 1) == GpuTime{9'000});
    CHECK(leased(play, 1) == GpuTime{});
  }
}

TEST_CASE("A tenant's race is no phantom demand of the planner's", "[rules]") {
  TwoZones zones{10s, 500s};
  zones.make.tenant_leg({.policy = flex(),
                         .places = {PoolId{0}, PoolId{1}},
                         .classes = {false, false, true},
                         .race = Race::first_boot});
  zones.make.tenant({.at = 1s, .work = 100s, .job_class = 2});
  zones.make.job({.at = 400s, .work = 10s});
  const Played play = zones.play();
  CHECK(waiting(play, 1) == GpuTime{40'000 - 10'000});  // of the recorded job alone, from 400 on
}

TEST_CASE("Patience ends with the first grant of the attempt", "[rules]") {
  TwoZones zones{10s, 20s};
  SECTION("of the leg") { zones.limit = 15s; }
  SECTION("of a kept request") {
    zones.policy.max_wait = 12s;
    zones.make.leg({.policy = zones.policy,
                    .places = {PoolId{0}, PoolId{1}},
                    .limit = 5s,
                    .keep = true,
                    .race = Race::first_boot});
  }
  zones.make.job({.at = 1s, .work = 100s});
  CHECK(zones.play().job(0) ==
        "leg 0 pool 0: 10 works 40 to 140 | leg 0 pool 1: 20 works 40 to 40 | completed at 140");
}

TEST_CASE("A rival that is reclaimed leaves the race to the others", "[rules]") {
  TwoZones zones{10s, 20s};
  zones.policy.lease_class = LeaseClass::spot;  // which a fall of capacity reclaims
  zones.policy.restarts = 0;
  zones.make.step(PoolId{0}, 25s, 0);
  zones.make.job({.at = 1s, .work = 100s});
  SECTION("to a lease") {
    const Played play = zones.play();
    CHECK(play.job(0) ==
          "leg 0 pool 0: 10 works 25 to 25 preempted | leg 0 pool 1: 20 works 50 to 150 | completed at 150");
    CHECK(play.record().jobs.at(0).preemptions == 1);
    CHECK(play.record().jobs.at(0).leased == 140s);
  }
  SECTION("the last one follows the restart rule") {
    zones.make.step(PoolId{1}, 30s, 0);
    const Played play = zones.play();
    CHECK(play.job(0) ==
          "leg 0 pool 0: 10 works 25 to 25 preempted | leg 0 pool 1: 20 works 30 to 30 preempted | failed at "
          "30");
    CHECK(play.record().jobs.at(0).preemptions == 2);
  }
}

TEST_CASE("A rival that is reclaimed leaves the race to a request, however long it waits", "[rules]") {
  TwoZones zones{10s, 60s};
  zones.policy.lease_class = LeaseClass::spot;  // which a fall of capacity reclaims
  zones.policy.restarts = 0;
  zones.limit = 20s;
  zones.make.step(PoolId{0}, 25s, 0);
  zones.make.job({.at = 1s, .work = 100s});
  CHECK(zones.play().job(0) ==
        "leg 0 pool 0: 10 works 25 to 25 preempted | leg 0 pool 1: 60 works 90 to 190 | completed at 190");
}

TEST_CASE("A lease that is leaving may win", "[rules]") {
  TwoZones zones{10s, 20s};
  zones.policy.lease_class = LeaseClass::spot;  // which a fall of capacity reclaims
  zones.policy.notice = 30s;
  zones.make.step(PoolId{0}, 25s, 0);
  zones.make.job({.at = 1s, .work = 100s});
  CHECK(zones.play().job(0) ==
        "leg 0 pool 0: 10 works 40 to 55 preempted, lost 15 | leg 0 pool 1: 20 works 40 to 40 | leg 0 pool "
        "1: 55 works 85 to 185 | completed at 185");
}

TEST_CASE("A lease that is leaving may lose, and is no preemption then", "[rules]") {
  TwoZones zones{10s, 20s};
  zones.policy.lease_class = LeaseClass::spot;  // which a fall of capacity reclaims
  zones.policy.notice = 30s;
  zones.make.step(PoolId{1}, 25s, 0);
  zones.make.job({.at = 1s, .work = 100s});
  const Played play = zones.play();
  CHECK(play.job(0) ==
        "leg 0 pool 0: 10 works 40 to 140 | leg 0 pool 1: 20 works 40 to 40 | completed at 140");
  CHECK(play.record().jobs.at(0).preemptions == 0);
  CHECK(leased(play, 1) == GpuTime{20'000});
}

TEST_CASE("Work that begins at the grant wins in the next round", "[rules]") {
  TwoZones zones{0s, 0s};
  zones.policy.provisioning = {};
  zones.make.job({.at = 1s, .work = 10s});
  zones.make.job({.at = 1s, .work = 0s});
  zones.make.job({.at = 20s, .work = 0s});
  const Played play = zones.play();
  CHECK(play.job(0) == "leg 0 pool 1: 1 to 1 | leg 0 pool 0: 1 to 11 | completed at 11");
  CHECK(play.job(1) == "leg 0 pool 1: 1 to 1 | completed at 1");
  CHECK(play.job(2) == "leg 0 pool 1: 20 to 20 | leg 0 pool 0: 20 to 20 | completed at 20");
}

TEST_CASE("Rivals are drawn apart", "[rules]") {
  TwoZones zones{0s, 0s};
  zones.policy.provisioning = Law{.kind = Law::Kind::exponential, .a = 60s};
  zones.make.world.window_end = kStart + 100h;
  for (int i = 0; i < 20; ++i) zones.make.job({.at = 3'600s * i, .work = 10s});
  const Played play = zones.play();
  CHECK(play.record().drew);
  // Both are granted at once. Were the draws the same, the first zone would win every time.
  CHECK(leased(play, 0) > GpuTime{});
  CHECK(leased(play, 1) > GpuTime{});
}

TEST_CASE("A rival whose held pool is over is gone without a trace", "[rules]") {
  WorldBuilder make;
  const PoolId zone = make.pool(3);
  const PoolId held = make.held(zone, 1);
  const PoolId over = make.held(zone, 1);
  make.world.held[1].until = kStart + 15s;
  Policy policy = reservation();
  policy.start_up = Law{.a = 30s};
  make.world.classes.resize(2);
  make.leg({.policy = reservation(), .places = {over}, .classes = {false, true}});
  make.leg({.policy = policy, .places = {held, over}, .classes = {true, false}, .race = Race::first_boot});
  make.job({.at = 0s, .work = 100s, .job_class = 1});
  make.job({.at = 1s, .work = 100s});
  const Played play{make};
  CHECK(play.job(1) == "leg 1 pool 1: 1 works 31 to 131 | completed at 131");
}

TEST_CASE("Rivals that are held when the run ends are closed with it", "[rules]") {
  TwoZones zones{10s, 20s};
  zones.make.world.end = RunEnd::time;
  zones.make.world.window_end = kStart + 30s;
  zones.make.job({.at = 1s, .work = 100s});
  const Played play = zones.play();
  CHECK(play.job(0) ==
        "leg 0 pool 0: 10 works 30 to 30 | leg 0 pool 1: 20 works 30 to 30 | unfinished at 30");
  CHECK(play.record().jobs.at(0).leased == 20s);
}
