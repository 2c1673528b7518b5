// A lease from its grant to its release, and what becomes of its job by it.

#include <catch2/catch.hpp>

#include "models/simulation/lease_life.h"
#include "tests/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Kind = Outcome::Kind;

const PoolId kPool{0};

// A pool of 8 GPUs; jobs of 4 by one row.
WorldBuilder spot_world(const Policy& policy, const JobClass& job_class = {.name = "class 0"}) {
  WorldBuilder make;
  make.pool(8);
  make.shape(4);
  make.world.classes = {job_class};
  make.leg({.policy = policy, .places = {kPool}});
  return make;
}

Policy with_notice(SimDuration notice) {
  Policy policy = spot();
  policy.notice = notice;
  return policy;
}

const JobClass kSaves{
    .name = "saves", .checkpoint_every = 4s, .checkpoint_cost = 1s, .checkpoint_in_notice = true};

// One job of 20 s of work on a lease that has started.
struct OneLease : UpToLives {
  explicit OneLease(const World& made)
      : UpToLives{made}, of{add_job({.work = 20s, .gpus = 4})}, slot{start_lease(of)} {}
  explicit OneLease(const WorldBuilder& make) : OneLease{make.build()} {}
  /// Its next end, or begin of work; what became of the job by it.
  Outcome next_release() {
    lives.leases.play_release(next(Phase::releases));
    return only_outcome();
  }
  [[nodiscard]] GpuCount room() { return pool(kPool).room(LeaseClass::spot); }
  JobSlot of;
  LeaseSlot slot;
};

}  // namespace

TEST_CASE("A lease comes up, starts, works, and ends with its job completed", "[rooms]") {
  Policy policy = spot();
  policy.provisioning = {.a = 2s};
  policy.start_up = {.a = 3s};
  policy.health = {.takes = 1s};
  OneLease floors{spot_world(policy)};
  CHECK(floors.lease(floors.slot).up == kStart + 2s);
  CHECK(floors.lease(floors.slot).working == kStart + 6s);
  const Outcome outcome = floors.next_release();
  CHECK(floors.now() == kStart + 26s);
  CHECK(outcome.kind == Kind::completed);
  CHECK(outcome.job == floors.of);
  const JobState& job = floors.job(floors.of);
  CHECK(job.lease == kNoLease);
  CHECK(job.work_left == 0s);
  CHECK(job.leased == 26s);
  CHECK(job.first_running == kStart + 6s);
  CHECK(floors.room() == GpuCount{8});
  CHECK(floors.take_touched() == std::vector{kPool});
}

TEST_CASE("A lease that is taken back ends after its notice, and its room is free at once", "[rooms]") {
  OneLease floors{spot_world(with_notice(3s))};
  floors.go_to(5s);
  floors.lives.leases.take(floors.slot);
  CHECK(floors.room() == GpuCount{8});
  CHECK(floors.next_release().kind == Kind::preempted);
  CHECK(floors.now() == kStart + 8s);
  CHECK(floors.job(floors.of).lost == 8s);
  CHECK(floors.job(floors.of).work_left == 20s);
  CHECK(floors.pool(kPool).of_class(LeaseClass::spot).preemptions == 1);
}

TEST_CASE("A lease that is done before its notice is over is not preempted", "[rooms]") {
  OneLease floors{spot_world(with_notice(30s))};
  floors.go_to(5s);
  floors.lives.leases.take(floors.slot);
  CHECK(floors.next_release().kind == Kind::completed);
  CHECK(floors.now() == kStart + 20s);
}

TEST_CASE("An interruption keeps what checkpoints have saved", "[rooms]") {
  JobClass job_class = kSaves;
  job_class.checkpoint_in_notice = false;
  job_class.reload = 2s;
  OneLease floors{spot_world(with_notice(3s), job_class)};
  floors.go_to(5s);
  floors.lives.leases.take(floors.slot);
  CHECK(floors.next_release().kind == Kind::preempted);
  CHECK(floors.job(floors.of).work_left == 16s);
  CHECK(floors.job(floors.of).lost == 3s);
  const LeaseSlot again = floors.start_lease(floors.of);
  CHECK(floors.lease(again).working == kStart + 8s + 2s);  // it reloads
}

TEST_CASE("A last checkpoint is written if the notice is long enough", "[rooms]") {
  const SimDuration notice = GENERATE(as<SimDuration>{}, 1s, SimDuration{999});
  OneLease floors{spot_world(with_notice(notice), kSaves)};
  floors.go_to(6s);
  floors.lives.leases.take(floors.slot);
  CHECK(floors.next_release().kind == Kind::preempted);
  const bool saves = notice == 1s;
  CHECK(floors.job(floors.of).work_left == (saves ? 15s : 16s));
  CHECK(floors.job(floors.of).lost == (saves ? SimDuration{0} : SimDuration{1'999}));
}

TEST_CASE("The model's maximum run cuts a job off, unless its leases are chained", "[rooms]") {
  Policy policy = spot();
  policy.run_max = 6s;
  policy.chains = GENERATE(false, true);
  OneLease floors{spot_world(policy, kSaves)};
  CHECK(floors.next_release().kind == (policy.chains ? Kind::left : Kind::cut_off));
  CHECK(floors.now() == kStart + 6s);
  CHECK(floors.job(floors.of).work_left == 16s);
}

TEST_CASE("A job that leaves writes a last checkpoint first, if it writes any", "[rooms]") {
  const bool saves = GENERATE(true, false);
  OneLease floors{saves ? spot_world(spot(), kSaves) : spot_world(spot())};
  floors.go_to(2s);
  floors.lives.leases.give_up(floors.slot);
  CHECK(floors.next_release().kind == Kind::left);
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
  floors.lives.leases.play_release(floors.next(Phase::releases));
  CHECK(floors.only_outcome().kind == Kind::left);
  CHECK(floors.now() == kStart + 12s);
}

TEST_CASE("Ends are on the grid of the world", "[rooms]") {
  WorldBuilder make = spot_world(spot());
  make.world.grid = 15s;
  OneLease floors{make};
  CHECK(floors.next_time() == 30s);
}

TEST_CASE("A machine that breaks ends the lease and lessens the pool", "[rooms]") {
  WorldBuilder make = spot_world(spot());
  make.world.pools[0].faults = {{.name = "hardware", .life = {.a = 7s}, .notice = 0s, .repair = {.a = 1h}}};
  OneLease floors{make};
  floors.lives.leases.play_fate(floors.next(Phase::lifetimes));
  CHECK(floors.next_release().kind == Kind::preempted);
  CHECK(floors.now() == kStart + 7s);
  CHECK(floors.pool(kPool).of_class(LeaseClass::spot).faults == 1);
  CHECK(floors.pool(kPool).sources[0].capacity == GpuCount{7});
}

TEST_CASE("The first lease to begin its work wins the race, the others end", "[rooms]") {
  Policy slow = spot();
  slow.start_up = {.a = 9s};
  WorldBuilder make = spot_world(spot());
  make.leg({.policy = slow, .places = {kPool}, .race = Race::first_boot});
  UpToLives floors{make.build()};
  const JobSlot job = floors.add_job({.work = 20s, .gpus = 4});
  const LeaseSlot winner = floors.start_lease(job, 1);
  floors.go_to(4s);
  const LeaseSlot loser = floors.start_lease(job, 1);
  LeaseLife& leases = floors.lives.leases;
  leases.play_release(floors.next(Phase::releases));
  const Outcome began = floors.only_outcome();
  CHECK(began.kind == Kind::began);
  REQUIRE(began.lease == winner);
  leases.win_race(winner);
  const Event end = floors.next(Phase::releases);
  CHECK(floors.now() == kStart + 9s);
  REQUIRE(end.lease() == loser);
  leases.play_release(end);
  CHECK(floors.outcomes().empty());  // the job has another lease
  CHECK(floors.job(job).lease == winner);
  CHECK(floors.pool(kPool).totals.phantom_leased == GpuCount{4} * SimDuration{5s});
}

TEST_CASE("A lease that was granted machines still taken starts when they are free", "[rooms]") {
  WorldBuilder make = spot_world(with_notice(10s));
  make.leg({.policy = on_demand(), .places = {kPool}});
  World world = make.build();
  world.pools[0].capacity[0].steps[0].gpus = GpuCount{4};
  OneLease floors{world};
  floors.lives.leases.take(floors.slot);
  const LeaseSlot next = floors.enter_lease(floors.add_job({.work = 5s, .gpus = 4}), 1);
  REQUIRE(floors.known.books.delay_if_taken(next, GpuCount{4}));
  CHECK(floors.next_release().kind == Kind::preempted);
  CHECK(floors.lease(next).up == kStart + 10s);
  CHECK(floors.next_release().kind == Kind::completed);
  CHECK(floors.now() == kStart + 15s);
}

TEST_CASE("A partial lease goes on with the machines that are left to it", "[rooms]") {
  World world = spot_world(with_notice(2s)).build();
  world.strategies[0].legs[0].partial = Partial{};
  world.strategies[0].legs[0].candidates[0][0].least = 2;
  OneLease floors{world};
  floors.go_to(8s);
  floors.lives.leases.take(floors.slot, GpuCount{2});
  floors.lives.leases.play_release(floors.next(Phase::releases));
  CHECK(floors.now() == kStart + 10s);
  CHECK(floors.outcomes().empty());
  CHECK(floors.lease(floors.slot).gpus == GpuCount{2});
  CHECK(floors.job(floors.of).lost == 10s);  // no checkpoints
  CHECK(floors.next_release().kind == Kind::completed);
  CHECK(floors.now() == kStart + 50s);  // on half of its machines
}

TEST_CASE("A partial lease that got too few machines is as good as refused", "[rooms]") {
  World world = spot_world(spot()).build();
  world.strategies[0].legs[0].partial = Partial{.gather = 60s, .interval = 60s};
  world.strategies[0].legs[0].candidates[0][0].least = 3;
  UpToLives floors{world};
  const JobSlot job = floors.add_job({.work = 20s, .gpus = 4});
  const LeaseSlot slot = floors.start_lease(job, 0, GpuCount{2});
  floors.go_to(60s);
  floors.lives.leases.disband(slot);
  floors.lives.leases.play_release(floors.next(Phase::releases));
  CHECK(floors.only_outcome().kind == Kind::refused);
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

TEST_CASE("A lease that was to be taken when the run ends was not preempted", "[rooms]") {
  OneLease floors{spot_world(with_notice(10s))};
  floors.lives.leases.take(floors.slot);
  floors.go_to(5s);
  floors.lives.leases.close_at_end(floors.slot);
  CHECK(floors.pool(kPool).of_class(LeaseClass::spot).preemptions == 0);
}

TEST_CASE("What runs when the run ends has done useful work, and nobody hears of it", "[rooms]") {
  OneLease floors{spot_world(spot())};
  floors.go_to(12s);
  floors.lives.leases.close_at_end(floors.slot);
  CHECK(floors.outcomes().empty());
  CHECK(floors.job(floors.of).lease == kNoLease);
  CHECK(floors.job(floors.of).lost == 0s);
  CHECK_NOTHROW(floors.known.books.check_balance(floors.now()));
}
