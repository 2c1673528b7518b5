// Sets of jobs (models/simulation/README.md, section 14). Times in seconds.

#include <cstdint>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// Jobs of `make` are the first members, each with one of so many GPUs and as much work.
World with_sets(WorldBuilder& make, std::int64_t gpus, JobSetRule rule = {}, std::size_t job_class = 0) {
  SyntheticDemand demand;
  demand.arrivals = FollowingArrivals{.as_long = true};
  demand.until = kNever;
  demand.shapes = {{.shape = make.shape(gpus)}};
  demand.job_class = ClassId{static_cast<std::uint16_t>(job_class)};
  make.source(demand);
  World world = make.build();
  for (Source& source : world.sources)
    if (!source.background) source.set = SetMember{.first = SourceId{0}, .rule = {}};
  world.sources[0].set->rule = rule;
  return world;
}

/// H100s for workers, which are of class 0, and a pool for drivers, of class 1.
struct TwoPools {
  explicit TwoPools(Policy workers_row = on_demand(), Policy drivers_row = on_demand(),
                    std::int64_t free_for_drivers = 1) {
    make.world.classes.resize(2, make.world.classes.front());
    workers = make.pool(8);
    drivers = make.pool(free_for_drivers);
    make.leg({.policy = std::move(workers_row), .places = {workers}, .classes = {true, false}});
    make.leg({.policy = std::move(drivers_row), .places = {drivers}, .classes = {false, true}});
  }
  World build(JobSetRule rule = {}) { return with_sets(make, 1, rule, 1); }

  WorldBuilder make;
  PoolId workers{};
  PoolId drivers{};
};

Policy retried(Policy row, SimDuration interval, Tries times = kUnlimited) {
  row.retries = times;
  row.retry_interval = interval;
  return row;
}

Policy starting_up(Policy row, SimDuration provisioning, SimDuration start_up) {
  row.provisioning = {.a = provisioning};
  row.start_up = {.a = start_up};
  return row;
}

}  // namespace

TEST_CASE("The work of a set begins when the last of its machines is ready", "[rules]") {
  TwoPools two{starting_up(on_demand(), 10s, 5s), starting_up(on_demand(), 2s, 30s)};
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  const Played play{two.build()};
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 32 to 132 | completed at 132");
  CHECK(play.job(1) == "leg 1 pool 1: 0 works 32 to 132 | completed at 132");
  CHECK(play.usage(0) == "used 976 billed 976 | useful 800 overhead 256");  // 8 machines from 10 on
}

TEST_CASE("Machines are paid while they wait for those of another pool", "[rules]") {
  TwoPools two{on_demand(), retried(on_demand(), 60s), 0};
  two.make.step(two.drivers, 130s, 1);
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  const Played play{two.build()};  // the driver is refused at 0, 60 and 120
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 180 to 280 | completed at 280");
  CHECK(play.job(1) == "leg 1 pool 1: 180 to 280 | completed at 280");
  CHECK(play.usage(0) == "used 2240 billed 2240 | useful 800 overhead 1440");
}

TEST_CASE("Machines that waited too long are given back, and the set asks again later", "[rules]") {
  TwoPools two{on_demand(), retried(on_demand(), 60s), 0};
  two.make.step(two.drivers, 130s, 1);
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  const Played play{two.build({.hold = 50s, .again = 40s})};
  // Given back at 50 and at 140; asked for at 0, 90 and 180. The driver's retries at 60 and 120 are dropped.
  CHECK(play.job(0) ==
        "leg 0 pool 0: 0 works 50 to 50 expired | leg 0 pool 0: 90 works 140 to 140 expired | leg 0 pool 0: "
        "180 to 280 | completed at 280");
  CHECK(play.job(1) == "leg 1 pool 1: 180 to 280 | completed at 280");
  CHECK(play.record().sets == SetTotals{.restarts = 0, .given_back = 2});
  CHECK(play.record().jobs.at(0).preemptions == 0);
}

TEST_CASE("With no patience at all, a set has all its machines at one instant or none", "[rules]") {
  TwoPools two{on_demand(), retried(on_demand(), 1h), 0};
  two.make.step(two.drivers, 70s, 1);
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  const Played play{two.build({.hold = 0s, .again = 60s})};
  CHECK(play.job(0) ==
        "leg 0 pool 0: 0 to 0 expired | leg 0 pool 0: 60 to 60 expired | leg 0 pool 0: 120 to 220 | "
        "completed at 220");
  CHECK(play.job(1) == "leg 1 pool 1: 120 to 220 | completed at 220");
  CHECK(play.usage(0) == "used 800 billed 800 | useful 800");
}

TEST_CASE("When one loses its machines all begin anew, and the others keep theirs", "[rules]") {
  Policy cheap = starting_up(spot(), 0s, 10s);
  cheap.restarts = kUnlimited;
  TwoPools two{starting_up(on_demand(), 0s, 20s), retried(cheap, 30s)};
  two.make.world.classes[0].checkpoint_every = two.make.world.classes[1].checkpoint_every = 25s;
  two.make.world.classes[0].reload = two.make.world.classes[1].reload = 3s;
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  two.make.step(two.drivers, 80s, 0);
  two.make.step(two.drivers, 200s, 1);
  // Work from 20 to 80: 50 kept, 10 lost. The driver asks at 80, 110, ... 200, and is ready at 213.
  const Played play{two.build({.restarts = 1})};
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 20 to 263, lost 10 | completed at 263");
  CHECK(
      play.job(1) ==
      "leg 1 pool 1: 0 works 20 to 80 preempted, lost 10 | leg 1 pool 1: 200 works 213 to 263 | completed at "
      "263");
  CHECK(play.usage(0) == "used 2104 billed 2104 | useful 800 redone 80 overhead 1224");
  CHECK(play.record().sets == SetTotals{.restarts = 1, .given_back = 0});
}

TEST_CASE("In place, machines that are left need no start-up", "[rules]") {
  Policy cheap = spot();
  cheap.restarts = kUnlimited;
  TwoPools two{starting_up(on_demand(), 0s, 20s), retried(cheap, 10s)};
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  two.make.step(two.drivers, 50s, 0);
  two.make.step(two.drivers, 60s, 1);
  World world = two.build({.restarts = 1, .in_place = true});
  CHECK(Played{world}.job(0) == "leg 0 pool 0: 0 works 20 to 160, lost 30 | completed at 160");
  world.sources[0].set->rule.in_place = false;
  CHECK(Played{world}.job(0) == "leg 0 pool 0: 0 works 20 to 170, lost 30 | completed at 170");
}

TEST_CASE("A set that may not begin anew fails as a whole, and its machines go at once", "[rules]") {
  Policy cheap = spot();
  cheap.restarts = kUnlimited;
  TwoPools two{on_demand(), retried(cheap, 10s)};
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  two.make.step(two.drivers, 50s, 0);
  const Played play{two.build()};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 50, lost 50 | failed at 50");
  CHECK(play.job(1) == "leg 1 pool 1: 0 to 50 preempted, lost 50 | failed at 50");
}

TEST_CASE("A set fails when one of its jobs does", "[rules]") {
  TwoPools two{on_demand(), retried(on_demand(), 60s, 2), 0};
  two.make.step(two.drivers, 1h, 1);
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  const Played play{two.build()};
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 120 to 120 | failed at 120");
  CHECK(play.job(1) == "failed at 120");
}

TEST_CASE("A lease that waits for others ends with its longest run", "[rules]") {
  Policy short_run = on_demand();
  short_run.run_max = 90s;
  TwoPools two{short_run, retried(on_demand(), 60s), 0};
  two.make.step(two.drivers, 1h, 1);
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  const Played play{two.build()};
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 90 to 90 | cut_off at 90");
  CHECK(play.job(1) == "failed at 90");
}

TEST_CASE("A lease that is leaving when its set begins anew works on to its end", "[rules]") {
  Policy cheap = spot();
  cheap.restarts = kUnlimited;
  cheap.notice = 30s;
  TwoPools two{retried(cheap, 10s), retried(cheap, 10s)};
  two.make.step(two.drivers, 40s, 0);
  two.make.step(two.workers, 50s, 0);
  two.make.step(two.drivers, 100s, 1);
  two.make.step(two.workers, 100s, 8);
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  const Played play{two.build({.restarts = 5})};
  CHECK(play.job(0) ==
        "leg 0 pool 0: 0 to 80 preempted, lost 80 | leg 0 pool 0: 100 to 200 | completed at 200");
  CHECK(play.job(1) ==
        "leg 1 pool 1: 0 to 70 preempted, lost 70 | leg 1 pool 1: 100 to 200 | completed at 200");
  CHECK(play.record().sets.restarts == 1);
}

TEST_CASE("Parts that wait in queues are asked for and held one by one", "[rules]") {
  TwoPools two{flex(), flex(), 0};
  two.make.step(two.drivers, 700s, 1);
  two.make.job({.at = 0s, .work = 100s, .gpus = 8});
  World world = two.build();
  const Played patient{world};
  CHECK(patient.job(0) == "leg 0 pool 0: 0 works 700 to 800 | completed at 800");
  world.sources[0].set->rule = {.hold = 600s, .again = 60s};  // a booking of queued provisioning
  const Played booked{world};
  CHECK(booked.job(0) ==
        "leg 0 pool 0: 0 works 600 to 600 expired | leg 0 pool 0: 660 works 700 to 800 | completed at 800");
  CHECK(booked.job(1) == "leg 1 pool 1: 700 to 800 | completed at 800");
}
