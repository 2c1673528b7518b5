// What a run covers and how it ends (design, sections 6 and 9; models/simulation/README.md, sections 1
// and 15). Times in seconds. Every world is run by both implementations.

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "sim/random/draw.h"
#include "tests/support/runs/played.h"

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

TEST_CASE("Totals leave the warm-up out, even when nothing happens after it", "[rules]") {
  WorldBuilder make = short_window();
  make.world.begin = kStart - 50s;
  make.tenant_leg({.policy = on_demand(), .places = {PoolId{0}}});
  make.tenant({.at = -50s, .work = 10s});
  const RunRecord record = simulate(make.build(), 0, 0);
  const ClassTotals& totals = record.pools[0].classes[static_cast<std::size_t>(LeaseClass::on_demand)];
  CHECK(totals.requests == 0);
  CHECK(totals.grants == 0);
  CHECK(totals.leased == GpuTime{0});
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

TEST_CASE("A run that comes to too many steps is ended there", "[rules]") {
  WorldBuilder make;
  make.world.window_end = kStart + 1'000s;
  Policy row = on_demand();
  row.retries = kUnlimited;
  row.retry_interval = 1s;
  make.leg({.policy = row, .places = {make.pool(1)}});
  make.job({.at = 0s, .work = 500s});
  make.job({.at = 0s, .work = 10s});  // asks every second until 500: a try is a request and a timer
  SECTION("in the instant that passes the bound") {
    make.world.most_steps = 100;
    const World world = make.build();
    try {
      static_cast<void>(simulate(world, 0, 0));
      FAIL("it was not ended");
    } catch (const TooManySteps& error) {
      CHECK(error.strategy() == 0);
      CHECK(error.most() == 100);
      CHECK(error.reached() == kStart + 50s);
    }
  }
  SECTION("and not before") {
    make.world.most_steps = 1'005;
    CHECK(simulate(make.build(), 0, 0).jobs.at(1).first_grant == kStart + 500s);
  }
}

TEST_CASE("A long run tells now and then how far it is, and can be ended there", "[rules]") {
  WorldBuilder make;
  make.world.window_end = kStart + 100'000s;
  Policy row = on_demand();
  row.retries = kUnlimited;
  row.retry_interval = 1s;
  make.leg({.policy = row, .places = {make.pool(1)}});
  make.job({.at = 0s, .work = 90'000s});
  make.job({.at = 0s, .work = 10s});
  const World world = make.build();
  std::vector<SimTime> told;
  Logs logs;
  logs.on_time = [&](SimTime now) { told.push_back(now); };
  static_cast<void>(simulate(world, 0, 0, logs));
  CHECK(told.size() == 10);  // a try is two steps
  CHECK(std::ranges::is_sorted(told));
  logs.on_time = [&](SimTime) { throw std::runtime_error{"enough"}; };
  CHECK_THROWS_WITH(simulate(world, 0, 0, logs), "enough");
}

TEST_CASE("A run in which nothing more can happen ends there", "[rules]") {
  WorldBuilder make = short_window();
  make.step(PoolId{0}, 100s, 0);
  make.job({.at = 90s, .work = 30s});  // runs on
  make.job({.at = 95s, .work = 10s});  // waits for ever
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 90 to 120 | completed at 120");
  CHECK(play.job(1) == "unfinished at 120");
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

TEST_CASE("A job that its group never let go is released when the run ends", "[rules]") {
  WorldBuilder make = short_window();
  make.world.end = RunEnd::time;
  make.world.classes[0].parallel = 1;
  make.job({.at = 0s, .work = 500s, .group = 1});
  make.job({.at = 1s, .work = 10s, .group = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 100 | unfinished at 100");
  CHECK(play.job(1) == "unfinished at 100");
  CHECK(play.record().jobs.at(1).released == kStart + 100s);
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

TEST_CASE("A commitment is paid to the end of its term, whatever until says", "[rules]") {
  WorldBuilder make;
  make.world.begin = kStart - 50s;
  make.world.window_end = kStart + 200s;
  const PoolId zone = make.pool(1);
  const PoolId held = make.held(zone, 1, -20s);
  make.world.held[0].until = kStart + 100s;
  make.leg({.policy = reservation(), .places = {held}});
  make.leg({.policy = on_demand(), .places = {zone}});
  make.job({.at = 0s, .work = 70s});
  make.job({.at = 110s, .work = 10s});  // the zone has the machine back
  SECTION("without one, to until") { CHECK(Played{make}.usage(1) == "used 100 billed 100 | idle 30"); }
  SECTION("a term of 150 ends at 130") {
    make.world.held[0].committed = 150s;
    const Played play{make};
    CHECK(play.job(1) == "leg 1 pool 0: 110 to 120 | completed at 120");
    CHECK(play.usage(1) == "used 130 billed 130 | idle 60");
  }
  SECTION("a term of 100 is over before until") {
    make.world.held[0].committed = 100s;
    CHECK(Played{make}.usage(1) == "used 100 billed 100 | idle 30");
  }
  SECTION("a term that is longer than the run ends with it") {
    make.world.held[0].committed = 8'760h;
    CHECK(Played{make}.usage(1) == "used 200 billed 200 | idle 130");
  }
}

TEST_CASE("Usage is billed by the rule, per machine", "[rules]") {
  WorldBuilder make = short_window();
  make.world.pools[0].capacity[0].steps[0].gpus = GpuCount{4};
  make.job({.at = 0s, .work = 61'500ms, .gpus = 3});  // 62 s each
  make.job({.at = 0s, .work = 100ms});                // a minute at least
  CHECK(Played{make}.usage(0) == "used 184.600 billed 246 | useful 184.600");
}

TEST_CASE("A row that chains goes on from a last checkpoint after its longest run", "[rules]") {
  Policy row = flex();
  row.run_max = 30s;
  row.chains = true;
  JobClass job_class{.name = "class 0", .checkpoint_every = 40s, .checkpoint_cost = 5s, .reload = 2s};
  const auto world = [&] {
    WorldBuilder make;
    make.world.classes[0] = job_class;
    make.leg({.policy = row, .places = {make.pool(1)}});
    make.job({.at = 0s, .work = 70s});
    return make;
  };
  SECTION("25 are saved at 30, 23 at 60, 22 are left") {
    const Played play{world()};
    CHECK(play.job(0) ==
          "leg 0 pool 0: 0 to 30 | leg 0 pool 0: 30 works 32 to 60 | leg 0 pool 0: 60 works 62 to 84 | "
          "completed at 84");
    // Three leases, each billed for a minute at least.
    CHECK(play.usage(0) == "used 84 billed 180 | useful 70 overhead 14");
  }
  SECTION("other rows cut off") {
    row.chains = false;
    CHECK(Played{world()}.job(0) == "leg 0 pool 0: 0 to 30, lost 30 | cut_off at 30");
  }
  SECTION("and jobs that write no checkpoints are cut off") {
    job_class.checkpoint_every = 0s;
    CHECK(Played{world()}.job(0) == "leg 0 pool 0: 0 to 30, lost 30 | cut_off at 30");
  }
  SECTION("as are those that have nothing to save") {
    row.start_up = {.a = 25s};
    CHECK(Played{world()}.job(0) == "leg 0 pool 0: 0 works 25 to 30 | cut_off at 30");
  }
  SECTION("reclaimed while the last checkpoint is written: what was worked until then is lost") {
    row.restarts = 0;
    row.lifetime = {.a = 27s};
    const Played play{world()};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 27 preempted, lost 25 | failed at 27");
    CHECK(play.usage(0) == "used 27 billed 60 | redone 25 overhead 2");
  }
}

TEST_CASE("A lease is reclaimed when the life of a machine is over", "[rules]") {
  Policy row = spot();
  row.lifetime = {.a = 20s};
  const auto world = [&](SimDuration work) {
    WorldBuilder make;
    make.world.classes[0] = {.name = "class 0", .checkpoint_every = 10s, .checkpoint_cost = 1s};
    make.leg({.policy = row, .places = {make.pool(1)}});
    make.job({.at = 0s, .work = work});
    return make;
  };
  SECTION("without notice: 10 of 19 saved, 15 + 1 left") {
    CHECK(Played{world(25s)}.job(0) ==
          "leg 0 pool 0: 0 to 20 preempted, lost 9 | leg 0 pool 0: 20 to 36 | completed at 36");
  }
  SECTION("with notice: 20 of 24 saved at 26, 5 left") {
    row.notice = 6s;
    CHECK(Played{world(25s)}.job(0) ==
          "leg 0 pool 0: 0 to 26 preempted, lost 4 | leg 0 pool 0: 26 to 31 | completed at 31");
  }
  SECTION("with a notice in which the work is done") {
    row.notice = 7s;
    CHECK(Played{world(25s)}.job(0) == "leg 0 pool 0: 0 to 27 | completed at 27");
  }
  SECTION("counted from when the machines are up") {
    row.provisioning = {.a = 5s};
    row.start_up = {.a = 3s};
    CHECK(Played{world(25s)}.job(0) ==
          "leg 0 pool 0: 0 works 8 to 25 preempted, lost 6 | leg 0 pool 0: 25 works 33 to 49 | completed at "
          "49");
  }
  SECTION("after a second at the least") {
    row.lifetime = {.a = 0s};
    row.restarts = 0;
    CHECK(Played{world(25s)}.job(0) == "leg 0 pool 0: 0 to 1 preempted, lost 1 | failed at 1");
  }
  SECTION("but not if it ends in that instant by itself") {
    CHECK(Played{world(19s)}.job(0) == "leg 0 pool 0: 0 to 20 | completed at 20");
  }
}

TEST_CASE("A lifetime has no effect on a held pool", "[rules]") {
  WorldBuilder make;
  const PoolId zone = make.pool(1);
  Policy row = reservation();
  row.lifetime = {.a = 20s};
  make.leg({.policy = row, .places = {make.held(zone, 1)}});
  make.job({.at = 0s, .work = 50s});
  CHECK(Played{make}.job(0) == "leg 0 pool 1: 0 to 50 | completed at 50");
}

TEST_CASE("A gang lives as long as the first of its machines to be taken", "[rules]") {
  Policy row = on_demand();
  row.lifetime = {.kind = Law::Kind::weibull, .a = 100s, .sigma = 0.7};
  row.restarts = 0;
  WorldBuilder make;
  make.leg({.policy = row, .places = {make.pool(3)}});
  make.job({.at = 0s, .work = 10h, .gpus = 3});
  SimDuration least = kForever;
  for (std::uint64_t machine = 0; machine < 3; ++machine) {  // of source 0, row 0, attempt 1
    Draw draw{make.world.seed, 0, Purpose::lifetime, 0, (std::uint64_t{1} << 32) + machine};
    least = std::min(least, row.lifetime.sample(draw));
  }
  const std::string end = fmt::format("{}.{:03}", least.count() / 1'000, least.count() % 1'000);
  CHECK(Played{make}.job(0) ==
        fmt::format("leg 0 pool 0: 0 to {0} preempted, lost {0} | failed at {0}", end));
}
