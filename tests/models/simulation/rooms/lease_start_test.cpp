// A lease from its grant to its own end.

#include <catch2/catch.hpp>

#include "models/simulation/lives/lease_start.h"
#include "tests/models/simulation/rooms/one_lease.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

TEST_CASE("A lease comes up, starts, works, and ends with its job completed", "[rooms]") {
  Policy policy = spot();
  policy.provisioning = {.a = 2s};
  policy.start_up = {.a = 3s};
  policy.health = {.takes = 1s};
  OneLease floors{spot_world(policy)};
  CHECK(floors.lease(floors.slot).times.up == kStart + 2s);
  CHECK(floors.lease(floors.slot).times.working == kStart + 6s);
  const Outcome outcome = floors.next_release();
  CHECK(floors.now() == kStart + 26s);
  CHECK(outcome.kind == Outcome::Kind::completed);
  CHECK(outcome.job == floors.of);
  const JobState& job = floors.job(floors.of);
  CHECK(job.lease == kNoLease);
  CHECK(job.work_left == 0s);
  CHECK(job.history.leased == 26s);
  CHECK(job.history.first_running == kStart + 6s);
  CHECK(floors.room() == GpuCount{8});
  CHECK(floors.take_touched() == std::vector{kLeasePool});
}

TEST_CASE("Ends are on the grid of the world", "[rooms]") {
  WorldBuilder make = spot_world(spot());
  make.world.grid = 15s;
  OneLease floors{make};
  CHECK(floors.next_time() == 30s);
}

TEST_CASE("A lease that was granted machines still taken starts when they are free", "[rooms]") {
  WorldBuilder make = spot_world(with_notice(10s));
  make.leg({.policy = on_demand(), .places = {kLeasePool}});
  World world = make.build();
  world.pools[0].capacity[0].steps[0].gpus = GpuCount{4};
  OneLease floors{world};
  floors.lives.leases.take(floors.slot);
  const LeaseSlot next = floors.enter_lease(floors.add_job({.work = 5s, .gpus = 4}), 1);
  REQUIRE(floors.known.books.delayed().add_if_taken(floors.pool(kLeasePool), next, GpuCount{4}));
  CHECK(floors.next_release().kind == Outcome::Kind::preempted);
  CHECK(floors.lease(next).times.up == kStart + 10s);
  CHECK(floors.next_release().kind == Outcome::Kind::completed);
  CHECK(floors.now() == kStart + 15s);
}
