// Pods that come late to their machines (models/simulation/README.md, section 7). Times in seconds.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// Machines come after 2 s, pods `after` them, or the machines go after 10 s; start-up takes 3 s.
LegSpec late_pods(PoolId pool, SimDuration after) {
  LegSpec leg{.policy = flex(), .places = {pool}, .pods = PodRule{.after = {.a = after}, .hold = 10s}};
  leg.policy.provisioning = {.a = 2s};
  leg.policy.start_up = {.a = 3s};
  return leg;
}

WorldBuilder one_job(SimDuration after) {
  WorldBuilder make;
  make.world.billing = {.step = SimDuration{1}, .least = SimDuration{0}};
  make.leg(late_pods(make.pool(1), after));
  make.job({.at = 0s, .work = 20s});
  return make;
}

}  // namespace

TEST_CASE("Start-up waits for pods, also for those that come at the last moment", "[rules]") {
  const Played early{one_job(4s)};
  CHECK(early.job(0) == "leg 0 pool 0: 0 works 9 to 29 | completed at 29");
  CHECK(early.usage(0) == "used 27 billed 27 | useful 20 overhead 9");
  CHECK(Played{one_job(10s)}.job(0) == "leg 0 pool 0: 0 works 15 to 35 | completed at 35");
}

TEST_CASE("Machines whose pods come too late are paid and given back, and the job asks again", "[rules]") {
  WorldBuilder make = one_job(10s + 1ms);
  World world = make.build();
  world.strategies[0].legs[0].policy.restarts = 1;
  const Played at_once{world};
  CHECK(at_once.job(0) ==
        "leg 0 pool 0: 0 works 12 to 12 expired | leg 0 pool 0: 12 works 24 to 24 expired | failed at 24");
  CHECK(at_once.usage(0) == "used 20 billed 20 | overhead 24");
  CHECK(at_once.record().jobs.at(0).preemptions == 0);
  CHECK(at_once.record().pools[0].classes[static_cast<std::size_t>(LeaseClass::flex)].preemptions == 0);
  world.strategies[0].legs[0].pods->again = 5s;
  CHECK(Played{world}.job(0) ==
        "leg 0 pool 0: 0 works 12 to 12 expired | leg 0 pool 0: 17 works 29 to 29 expired | failed at 29");
}

TEST_CASE("Machines that were given back are there for others, and a job without restarts passes on",
          "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId pool = make.pool(1);
  LegSpec late = late_pods(pool, 11s);
  late.policy.restarts = 0;
  late.classes = {true, false};
  make.leg(late);
  make.leg({.policy = flex(), .places = {pool}});
  make.job({.at = 0s, .work = 20s});
  make.job({.at = 1s, .work = 4s, .job_class = 1});
  const Played play{make};
  CHECK(play.job(1) == "leg 1 pool 0: 12 to 16 | completed at 16");
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 12 to 12 expired | leg 1 pool 0: 16 to 36 | completed at 36");
}

TEST_CASE("A longest run that is over before the booking expires cuts the job off", "[rules]") {
  World world = one_job(11s).build();
  world.strategies[0].legs[0].policy.run_max = 9s;
  CHECK(Played{world}.job(0) == "leg 0 pool 0: 0 works 11 to 11 | cut_off at 11");
  world.strategies[0].legs[0].policy.run_max = 10s;
  world.strategies[0].legs[0].policy.restarts = 0;
  CHECK(Played{world}.job(0) == "leg 0 pool 0: 0 works 12 to 12 expired | failed at 12");
}

TEST_CASE("A booking expires on the grid", "[rules]") {
  World world = one_job(11s).build();
  world.grid = 5s;
  world.strategies[0].legs[0].policy.restarts = 0;
  CHECK(Played{world}.job(0) == "leg 0 pool 0: 0 works 15 to 15 expired | failed at 15");
}
