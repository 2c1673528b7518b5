// What machines do of themselves: they live their time, break, and are under repair.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/simulation/lives/fates.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};
const Law kRandom{.kind = Law::Kind::uniform, .a = 10s, .b = 1'000'000s};

WorldBuilder gangs_of_four(const Law& life = {.a = kForever}) {
  WorldBuilder make;
  make.pool(8);
  make.shape(4);
  Policy policy = spot();
  policy.lifetime = life;
  make.leg({.policy = policy, .places = {kPool}});
  return make;
}

FaultRule breaks_after(const Law& life, SimDuration repair = 0s) {
  return {.name = "fault", .life = life, .notice = 5s, .repair = {.a = repair}};
}

// A lease whose machines are up at ten seconds, and the room.
struct Leased : UpToLives {
  explicit Leased(const World& made)
      : UpToLives{made},
        fates{world, ground.tables, ground.agenda, known.books, known.draws, lives.gangs},
        slot{enter_lease(add_job({.work = 1h, .gpus = 4}))} {
    lease(slot).times.up = kStart + 10s;
  }
  Fates fates;
  LeaseSlot slot;
};

}  // namespace

TEST_CASE("The first of several machines to be taken decides", "[rooms]") {
  Leased floors{gangs_of_four(kRandom).build()};
  SimDuration first = kForever;
  for (std::uint64_t machine = 0; machine < 4; ++machine) {
    const Lease& lease = floors.lease(floors.slot);
    first = std::min(first, floors.known.draws.machine_life(lease, floors.job(lease.job).job, machine));
  }
  floors.fates.set(floors.slot);
  CHECK(floors.next_time() == 10s + first);
  CHECK(floors.next(Phase::lifetimes).kind == EventKind::life_over);
  CHECK(floors.next_time() == kForever);
}

TEST_CASE("Machines that live for ever and never break set nothing", "[rooms]") {
  Leased floors{gangs_of_four().build()};
  floors.fates.set(floors.slot);
  CHECK(floors.next_time() == kForever);
}

TEST_CASE("The first machine to break decides, by the rule that is first", "[rooms]") {
  WorldBuilder make = gangs_of_four();
  make.world.pools[0].faults = {breaks_after({.a = 30s}), breaks_after({.a = 20s})};
  Leased floors{make.build()};
  floors.fates.set(floors.slot);
  CHECK(floors.next_time() == 30s);
  CHECK(floors.next(Phase::lifetimes).kind == EventKind::fault);
  CHECK(floors.lease(floors.slot).ending.fault_rule == 1);
  CHECK(floors.lease(floors.slot).ending.fault_machine == 0);
}

TEST_CASE("Which machine breaks first is drawn", "[rooms]") {
  WorldBuilder make = gangs_of_four();
  make.world.pools[0].faults = {breaks_after(kRandom)};
  Leased floors{make.build()};
  floors.fates.set(floors.slot);
  const Lease& lease = floors.lease(floors.slot);
  const auto life = [&](std::uint64_t machine) {
    return floors.known.draws.time_to_fault(lease, floors.job(lease.job).job, floors.world.pools[0].faults[0],
                                            0, machine);
  };
  for (std::uint64_t machine = 0; machine < 4; ++machine)
    CHECK(life(lease.ending.fault_machine) <= life(machine));
  CHECK(floors.next_time() == 10s + life(lease.ending.fault_machine));
}

TEST_CASE("A broken machine is gone from the capacity until it is repaired", "[rooms]") {
  WorldBuilder make = gangs_of_four();
  make.world.pools[0].faults = {breaks_after({.a = 20s}, 60s)};
  Leased floors{make.build()};
  floors.go_to(30s);
  floors.fates.break_machine(floors.lease(floors.slot), 0, 2);
  CHECK(floors.pool(kPool).sources[0].capacity == GpuCount{7});
  const Event repaired = floors.next(Phase::repairs);
  CHECK(floors.now() == kStart + 30s + 5s + 60s);  // it runs on for its notice
  CHECK(repaired.kind == EventKind::repaired);
  CHECK(repaired.detail == 1);
}

TEST_CASE("Where capacity is unlimited a broken machine changes nothing", "[rooms]") {
  WorldBuilder make = gangs_of_four();
  make.world.pools[0].faults = {breaks_after({.a = 20s}, 60s)};
  make.world.pools[0].capacity.clear();
  Leased floors{make.build()};
  floors.fates.break_machine(floors.lease(floors.slot), 0, 2);
  CHECK(floors.next_time() == kForever);
}

TEST_CASE("Each machine of a partial lease has a fate of its own", "[rooms]") {
  WorldBuilder make = gangs_of_four(kRandom);
  World world = make.build();
  world.strategies[0].legs[0].partial = Partial{};
  world.strategies[0].legs[0].candidates[0][0].least = 2;
  Leased floors{world};
  const Gangs::Batch batch =
      floors.lives.gangs.start_batch(floors.lease(floors.slot), GpuCount{4}, kStart + 10s);
  floors.fates.set_each(floors.slot, batch);
  std::vector<std::uint32_t> machines;
  while (floors.next_time() != kForever) machines.push_back(floors.next(Phase::lifetimes).detail);
  std::ranges::sort(machines);
  CHECK(machines == std::vector<std::uint32_t>{0, 1, 2, 3});
}
