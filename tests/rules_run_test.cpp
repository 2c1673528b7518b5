// What a run covers and how it ends (design, sections 6 and 9; models/simulation/README.md, "Time" and
// "End"). Times in seconds. Every world is run by both implementations.

#include <catch2/catch.hpp>

#include "tests/support/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// One GPU on flex in a window of 100 s.
WorldBuilder short_window() {
  WorldBuilder make;
  make.world.window_end = kStart + 100s;
  make.leg({.policy = flex(), .places = {make.pool(1)}});
  return make;
}

}  // namespace

TEST_CASE("Only jobs submitted in the window are run and recorded", "[rules]") {
  WorldBuilder make = short_window();
  make.world.begin = kStart - 50s;
  make.job({.at = -10s, .work = 50s});
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 99s, .work = 10s});
  make.job({.at = 100s, .work = 50s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 0: 99 to 109 | completed at 109");
  CHECK(play.end() == "109");
}

TEST_CASE("Tenants come from the begin of the run and have no row", "[rules]") {
  WorldBuilder make = short_window();
  make.world.begin = kStart - 50s;
  make.tenant_leg({.policy = on_demand(), .places = {PoolId{0}}});
  make.tenant({.at = -60s, .work = 1'000s});  // before the begin: never comes
  make.tenant({.at = -50s, .work = 70s});
  make.job({.at = 0s, .work = 10s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 20 to 30 | completed at 30");
  CHECK(play.usage(0) == "used 10 billed 60 | useful 10");  // tenants cost nothing
}

TEST_CASE("A drained run ends when its last recorded job is final, but not before the window does",
          "[rules]") {
  WorldBuilder make = short_window();
  make.job({.at = 0s, .work = 30s});
  SECTION("not before the window does") { CHECK(Played{make}.end() == "100"); }
  SECTION("when the last job is final") {
    make.job({.at = 90s, .work = 30s});
    CHECK(Played{make}.end() == "120");
  }
  SECTION("at the limit, what runs then is closed: the work done so far is useful") {
    make.job({.at = 90s, .work = 1'000s});
    make.job({.at = 91s, .work = 10s});
    make.world.drain_limit = 50s;
    const Played play{make};
    CHECK(play.job(1) == "leg 0 pool 0: 90 to 150 | unfinished at 150");
    CHECK(play.job(2) == "unfinished at 150");
    CHECK(play.usage(0) == "used 90 billed 120 | useful 90");
  }
  SECTION("a job that is done at the limit is done") {
    make.job({.at = 90s, .work = 60s});
    make.world.drain_limit = 50s;
    CHECK(Played{make}.job(1) == "leg 0 pool 0: 90 to 150 | completed at 150");
  }
}

TEST_CASE("A run in which nothing more can happen ends there", "[rules]") {
  WorldBuilder make = short_window();
  make.step(PoolId{0}, 120s, 0);
  make.job({.at = 90s, .work = 1'000s});  // taken back at 120, waits for ever
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 90 to 120 preempted, lost 30 | unfinished at 120");
  CHECK(play.end() == "120");
}

TEST_CASE("A run that ends with time ends with the window", "[rules]") {
  WorldBuilder make = short_window();
  make.world.end = RunEnd::time;
  make.job({.at = 0s, .work = 100s});  // released at 100, still within the run
  make.job({.at = 50s, .work = 10s});  // granted at 100
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 100 | completed at 100");
  CHECK(play.job(1) == "leg 0 pool 0: 100 to 100 | unfinished at 100");
  CHECK(play.end() == "100");
}

TEST_CASE("Held capacity is paid for until the run ends, or until the last start", "[rules]") {
  WorldBuilder make;
  make.world.begin = kStart - 50s;
  make.world.window_end = kStart + 200s;
  const PoolId held = make.held(make.pool(1), 1, -20s);  // there since -20, paid from 0
  make.leg({.policy = reservation(), .places = {held}});
  make.job({.at = 0s, .work = 70s});
  make.job({.at = 20s, .work = 10s});
  SECTION("until the run ends") { CHECK(Played{make}.usage(1) == "used 200 billed 200 | idle 120"); }
  SECTION("until the last start") {
    make.world.hold_end = HoldEnd::last_start;
    const Played play{make};
    CHECK(play.job(1) == "leg 0 pool 1: 70 to 80 | completed at 80");
    CHECK(play.usage(1) == "used 70 billed 70 | idle 120");
  }
}

TEST_CASE("Usage is billed by the rule, per machine", "[rules]") {
  WorldBuilder make = short_window();
  make.world.pools[0].capacity[0].steps[0].gpus = GpuCount{4};
  make.job({.at = 0s, .work = 61'500ms, .gpus = 3});  // 62 s each
  make.job({.at = 0s, .work = 100ms});                // a minute at least
  CHECK(Played{make}.usage(0) == "used 184.600 billed 246 | useful 184.600");
}
