// What happens to a lease between its start and its end, and what becomes of its job by it.

#include <catch2/catch.hpp>

#include "models/simulation/lives/lease_life.h"
#include "tests/models/simulation/rooms/one_lease.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

TEST_CASE("A lease that is reclaimed ends after its notice, and its room is free at once", "[rooms]") {
  OneLease floors{spot_world(with_notice(3s))};
  floors.go_to(5s);
  floors.lives.leases.take(floors.slot);
  CHECK(floors.room() == GpuCount{8});
  CHECK(floors.next_release().kind == Outcome::Kind::preempted);
  CHECK(floors.now() == kStart + 8s);
  CHECK(floors.job(floors.of).history.lost == 8s);
  CHECK(floors.job(floors.of).work_left == 20s);
  CHECK(floors.pool(kLeasePool).of_class(LeaseClass::spot).preemptions == 1);
}

TEST_CASE("A lease that is done before its notice is over is not preempted", "[rooms]") {
  OneLease floors{spot_world(with_notice(30s))};
  floors.go_to(5s);
  floors.lives.leases.take(floors.slot);
  CHECK(floors.next_release().kind == Outcome::Kind::completed);
  CHECK(floors.now() == kStart + 20s);
}

TEST_CASE("An interruption keeps what checkpoints have saved", "[rooms]") {
  JobClass job_class = kSaves;
  job_class.checkpoint_in_notice = false;
  job_class.reload = 2s;
  OneLease floors{spot_world(with_notice(3s), job_class)};
  floors.go_to(5s);
  floors.lives.leases.take(floors.slot);
  CHECK(floors.next_release().kind == Outcome::Kind::preempted);
  CHECK(floors.job(floors.of).work_left == 16s);
  CHECK(floors.job(floors.of).history.lost == 3s);
  const LeaseSlot again = floors.start_lease(floors.of);
  CHECK(floors.lease(again).times.working == kStart + 8s + 2s);  // it reloads
}

TEST_CASE("A last checkpoint is written if the notice is long enough", "[rooms]") {
  const SimDuration notice = GENERATE(as<SimDuration>{}, 1s, SimDuration{999});
  OneLease floors{spot_world(with_notice(notice), kSaves)};
  floors.go_to(6s);
  floors.lives.leases.take(floors.slot);
  CHECK(floors.next_release().kind == Outcome::Kind::preempted);
  const bool saves = notice == 1s;
  CHECK(floors.job(floors.of).work_left == (saves ? 15s : 16s));
  CHECK(floors.job(floors.of).history.lost == (saves ? SimDuration{0} : SimDuration{1'999}));
}

TEST_CASE("A job that leaves writes a last checkpoint first, if it writes any", "[rooms]") {
  const bool saves = GENERATE(true, false);
  OneLease floors{saves ? spot_world(spot(), kSaves) : spot_world(spot())};
  floors.go_to(2s);
  floors.lives.leases.give_up(floors.slot);
  CHECK(floors.next_release().kind == Outcome::Kind::left);
  CHECK(floors.now() == kStart + (saves ? 3s : 2s));
  CHECK(floors.job(floors.of).work_left == (saves ? 18s : 20s));
}

TEST_CASE("The end of a held pool's window ends a lease there, and the job goes on", "[rooms]") {
  WorldBuilder make;
  const PoolId held = make.held(make.pool(8), 8);
  make.world.held[0].until = kStart + 12s;
  make.shape(4);
  make.leg({.policy = reservation(), .places = {held}});
  UpToLives floors{make.build()};
  floors.known.books.resize(held, 0, GpuCount{8}, floors.now());
  floors.start_lease(floors.add_job({.work = 20s, .gpus = 4}));
  floors.lives.ends.play_release(floors.next(Phase::releases));
  CHECK(floors.only_outcome().kind == Outcome::Kind::left);
  CHECK(floors.now() == kStart + 12s);
}

TEST_CASE("A machine that breaks ends the lease and lessens the pool", "[rooms]") {
  WorldBuilder make = spot_world(spot());
  make.world.pools[0].faults = {{.name = "hardware", .life = {.a = 7s}, .notice = 0s, .repair = {.a = 1h}}};
  OneLease floors{make};
  floors.lives.leases.play_fate(floors.next(Phase::lifetimes));
  CHECK(floors.next_release().kind == Outcome::Kind::broke);
  CHECK(floors.now() == kStart + 7s);
  CHECK(floors.pool(kLeasePool).of_class(LeaseClass::spot).faults == 1);
  CHECK(floors.pool(kLeasePool).sources[0].capacity == GpuCount{7});
}

TEST_CASE("The first lease to begin its work wins the race, the others end", "[rooms]") {
  Policy slow = spot();
  slow.start_up = {.a = 9s};
  WorldBuilder make = spot_world(spot());
  make.leg({.policy = slow, .places = {kLeasePool}, .race = Race::first_boot});
  UpToLives floors{make.build()};
  const JobSlot job = floors.add_job({.work = 20s, .gpus = 4});
  const LeaseSlot winner = floors.start_lease(job, 1);
  floors.go_to(4s);
  const LeaseSlot loser = floors.start_lease(job, 1);
  LeaseLife& leases = floors.lives.leases;
  floors.lives.ends.play_release(floors.next(Phase::releases));
  const Outcome began = floors.only_outcome();
  CHECK(began.kind == Outcome::Kind::began);
  REQUIRE(began.lease == winner);
  leases.win_race(winner);
  const Event end = floors.next(Phase::releases);
  CHECK(floors.now() == kStart + 9s);
  REQUIRE(end.lease() == loser);
  floors.lives.ends.play_release(end);
  CHECK(floors.outcomes().empty());  // the job has another lease
  CHECK(floors.job(job).lease == winner);
  CHECK(floors.pool(kLeasePool).totals.phantom_leased == GpuCount{4} * SimDuration{5s});
}

TEST_CASE("A partial lease that got too few machines is as good as refused", "[rooms]") {
  World world = spot_world(spot()).build();
  world.strategies[0].legs[0].partial = Partial{.gather = 60s, .interval = 60s};
  world.strategies[0].legs[0].candidates[0][0].least = 3;
  UpToLives floors{world};
  const JobSlot job = floors.add_job({.work = 20s, .gpus = 4});
  floors.start_lease(job, 0, GpuCount{2});
  floors.go_to(60s);
  floors.lives.leases.gather(job);
  floors.lives.ends.play_release(floors.next(Phase::releases));
  CHECK(floors.only_outcome().kind == Outcome::Kind::refused);
  CHECK(floors.job(job).work_left == 20s);
}

TEST_CASE("What would be lost is the work since the last checkpoint", "[rooms]") {
  JobClass job_class = kSaves;
  job_class.checkpoint_in_notice = GENERATE(false, true);
  OneLease floors{spot_world(with_notice(10s), job_class)};
  floors.go_to(7s);
  CHECK(floors.lives.leases.progress_now(floors.lease(floors.slot)) == 6s);
  CHECK(floors.lives.leases.loss_if_taken(floors.lease(floors.slot)) ==
        (job_class.checkpoint_in_notice ? 0U : 4U * 2'000U));
}
