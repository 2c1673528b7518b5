// Leases that make way for others: whom the pool's rule chooses.

#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/lives/making_way.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};

// A pool of 12 GPUs; leg 0 is spot, leg 1 on demand.
World pool_with(ReclaimRule rule) {
  WorldBuilder make;
  make.pool(12);
  for (const std::int64_t gpus : {1, 2, 3, 4, 8}) make.shape(gpus);
  make.world.pools[0].reclaim = rule;
  make.leg({.policy = spot(), .places = {kPool}});
  make.leg({.policy = on_demand(), .places = {kPool}});
  return make.build();
}

// Leases of so many GPUs each, a second after one another, and then one second.
struct Leases : UpToLives {
  Leases(ReclaimRule rule, const std::vector<std::int64_t>& gpus) : UpToLives{pool_with(rule)} {
    for (const std::int64_t each : gpus) {
      slots.push_back(start_lease(add_job({.work = 1h, .gpus = each})));
      go_to(static_cast<std::int64_t>(slots.size()) * 1s);
    }
  }
  /// The capacity falls; the leases that get notice, by their numbers.
  std::vector<std::size_t> victims(std::int64_t capacity) {
    known.books.resize(kPool, 0, GpuCount{capacity}, now());
    lives.making_way.make_room(pool(kPool), pool(kPool).sources[0]);
    std::vector<std::size_t> leaving;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (lease(slots[i]).ending.leaving) leaving.push_back(i);
    }
    return leaving;
  }
  std::vector<LeaseSlot> slots;
};

using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("The newest, the oldest or the least lossy lease goes first, until all others fit", "[rooms]") {
  CHECK(Leases(ReclaimRule::newest, {4, 4, 4}).victims(8) == Numbers{2});
  CHECK(Leases(ReclaimRule::newest, {4, 4, 4}).victims(7) == Numbers{1, 2});
  CHECK(Leases(ReclaimRule::oldest, {4, 4, 4}).victims(8) == Numbers{0});
  CHECK(Leases(ReclaimRule::oldest, {4, 4, 4}).victims(4) == Numbers{0, 1});
  // They would lose 9, 2 and 8 GPU-seconds; then 6, 2 and 8.
  CHECK(Leases(ReclaimRule::smallest_loss, {3, 1, 8}).victims(11) == Numbers{1});
  CHECK(Leases(ReclaimRule::smallest_loss, {2, 1, 8}).victims(8) == Numbers{0, 1});
}

TEST_CASE("Of leases that lose the same the latest grant goes first", "[rooms]") {
  Leases floors{ReclaimRule::smallest_loss, {4, 4, 4}};
  for (const LeaseSlot slot : floors.slots) floors.lease(slot).times.working = kStart + 3s;
  CHECK(floors.victims(8) == Numbers{2});
}

TEST_CASE("A victim whose room the later ones made unnecessary is spared", "[rooms]") {
  CHECK(Leases(ReclaimRule::newest, {4, 4, 1}).victims(5) == Numbers{1});
  CHECK(Leases(ReclaimRule::oldest, {1, 4, 4}).victims(5) == Numbers{1});
}

TEST_CASE("A drawn victim is the one with the least word", "[rooms]") {
  Leases floors{ReclaimRule::random, {4, 4, 4}};
  const auto word = [&](std::size_t number) {
    const Lease& lease = floors.lease(floors.slots[number]);
    return floors.known.draws.victim_word(lease, floors.job(lease.job).job);
  };
  Numbers order{0, 1, 2};
  std::ranges::sort(order, {}, word);
  CHECK(floors.victims(8) == Numbers{order[0]});
}

TEST_CASE("Only spot leases make way", "[rooms]") {
  Leases floors{ReclaimRule::newest, {4}};
  const LeaseSlot strong = floors.start_lease(floors.add_job({.work = 1h, .gpus = 8}), 1);
  CHECK(floors.victims(6) == Numbers{0});
  CHECK_FALSE(floors.lease(strong).ending.leaving);
}

TEST_CASE("Nobody makes way where spot has capacity of its own", "[rooms]") {
  World world = pool_with(ReclaimRule::newest);
  CapacitySource second = world.pools[0].capacity[0];
  world.pools[0].capacity[0].classes = {true, true, true, false};
  second.classes = {false, false, false, true};
  world.pools[0].capacity.push_back(second);
  UpToLives floors{world};
  const LeaseSlot weak = floors.start_lease(floors.add_job({.work = 1h, .gpus = 4}));
  floors.start_lease(floors.add_job({.work = 1h, .gpus = 8}), 1);
  floors.known.books.resize(kPool, 0, GpuCount{4}, floors.now());
  floors.lives.making_way.make_room(floors.pool(kPool), floors.pool(kPool).sources[0]);
  CHECK_FALSE(floors.lease(weak).ending.leaving);
}

TEST_CASE("A partial lease gives machines and stays", "[rooms]") {
  World world = pool_with(ReclaimRule::newest);
  world.strategies[0].legs[0].partial = Partial{};
  world.strategies[0].legs[0].candidates.back()[0].least = 2;
  UpToLives floors{world};
  const LeaseSlot partial = floors.start_lease(floors.add_job({.work = 1h, .gpus = 8}));
  floors.go_to(5s);
  floors.known.books.resize(kPool, 0, GpuCount{5}, floors.now());
  floors.lives.making_way.make_room(floors.pool(kPool), floors.pool(kPool).sources[0]);
  CHECK_FALSE(floors.lease(partial).ending.leaving);
  CHECK(floors.lease(partial).parts.going == GpuCount{3});
}

TEST_CASE("On hosts those leases make way in whose place others are placed", "[rooms]") {
  WorldBuilder make;
  make.host_pool(2, 8);
  make.shape(6);
  make.shape(8);
  make.leg({.policy = spot(), .places = {kPool}, .machine_gpus = 8});
  UpToLives floors{make.build()};
  PoolState& pool = floors.pool(kPool);
  std::vector<LeaseSlot> slots;
  for (const std::int32_t host : {0, 1}) {
    const JobSlot job = floors.add_job({.work = 1h, .gpus = 6});
    const Lease lease{
        .job = job,
        .pool = kPool,
        .lease_class = LeaseClass::spot,
        .gpus = GpuCount{6},
        .asked = {.candidate = &floors.candidate(job), .leg = &floors.world.strategies[0].legs[0]},
        .times = {.granted = floors.now()}};
    const std::vector<HostShare> share{{.host = host, .gpus = 6}};
    slots.push_back(floors.known.books.grant(lease, share));
    floors.job(job).lease = slots.back();
    floors.lives.starts.start(slots.back(), GpuCount{6});
  }
  const Footprint small{.groups = {MachineGroup{.machines = 1, .gpus = 2}}};
  CHECK(floors.lives.making_way.find_hosts(pool, LeaseClass::on_demand, small).size() == 1);
  CHECK_FALSE(floors.lease(slots[0]).ending.leaving);
  CHECK_FALSE(floors.lease(slots[1]).ending.leaving);
  const Footprint large{.groups = {MachineGroup{.machines = 1, .gpus = 8}}};
  const auto hosts = floors.lives.making_way.find_hosts(pool, LeaseClass::on_demand, large);
  REQUIRE(hosts.size() == 1);
  CHECK(hosts[0] == HostShare{.host = 1, .gpus = 8});  // where the newest stood
  CHECK(floors.lease(slots[1]).ending.leaving);
  CHECK_FALSE(floors.lease(slots[0]).ending.leaving);
}
