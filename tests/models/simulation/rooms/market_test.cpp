// Grants and refuses: the dispatch of a pool, one decision at a time.

#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/market/market.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Kind = Outcome::Kind;

const PoolId kPool{0};
constexpr std::uint8_t kSpot = 0;
constexpr std::uint8_t kFlex = 1;
constexpr std::uint8_t kOnDemand = 2;
constexpr std::uint8_t kReserved = 3;

// A pool that can be asked for each class, and 4 GPUs of it held.
WorldBuilder all_classes(std::int64_t gpus) {
  WorldBuilder make;
  make.pool(gpus);
  for (const std::int64_t shape : {1, 2, 4}) make.shape(shape);
  Policy reserved = on_demand();
  reserved.lease_class = LeaseClass::reserved;
  for (const Policy& policy : {spot(), flex(), on_demand(), reserved}) {
    make.leg({.policy = policy, .places = {kPool}});
  }
  return make;
}

struct Asked : UpToMarket {
  explicit Asked(const WorldBuilder& make) : UpToMarket{make.build()}, market{pools.market} {}
  JobSlot ask_for(std::int64_t gpus, std::uint8_t leg) {
    const JobSlot slot = add_job({.work = 1h, .gpus = gpus});
    ask(slot, leg);
    return slot;
  }
  Market& market;
};

}  // namespace

TEST_CASE("Classes are served from the strongest on, the queue in its place", "[rooms]") {
  WorldBuilder make = all_classes(3);
  const bool flex_first = GENERATE(false, true);
  make.world.pools[0].flex_before_on_demand = flex_first;
  Asked floors{make};
  const JobSlot weakest = floors.ask_for(1, kSpot);
  const JobSlot queued = floors.ask_for(1, kFlex);
  const JobSlot stronger = floors.ask_for(1, kOnDemand);
  const JobSlot strongest = floors.ask_for(1, kReserved);
  std::vector<JobSlot> jobs;
  std::vector<Kind> kinds;
  for (const Outcome& outcome : floors.serve(kPool)) {
    jobs.push_back(outcome.job);
    kinds.push_back(outcome.kind);
  }
  CHECK(jobs == (flex_first ? std::vector{strongest, queued, stronger, weakest}
                            : std::vector{strongest, stronger, queued, weakest}));
  CHECK(kinds == std::vector{Kind::granted, Kind::granted, Kind::granted, Kind::refused});
  CHECK(floors.pool(kPool).of_class(LeaseClass::spot).refusals == 1);
}

TEST_CASE("A grant starts a lease of the job and closes its requests", "[rooms]") {
  Asked floors{all_classes(4)};
  const JobSlot job = floors.ask_for(2, kFlex);
  floors.ask(job, kOnDemand);
  const std::vector<Outcome> heard = floors.serve(kPool);
  REQUIRE(heard.size() == 1);
  CHECK(heard[0].kind == Kind::granted);
  CHECK(heard[0].leg == kOnDemand);
  CHECK(heard[0].lease == floors.job(job).lease);
  CHECK(floors.job(job).asks.first_request == kNoRequest);
  CHECK(floors.lease(heard[0].lease).gpus == GpuCount{2});
  CHECK(floors.next_time() == 1h);
}

TEST_CASE("What became of a decision can be heard before the next one", "[rooms]") {
  Asked floors{all_classes(2)};
  floors.ask_for(1, kOnDemand);
  REQUIRE(floors.serve(kPool).size() == 1);
  const JobSlot first = floors.ask_for(2, kOnDemand);
  const JobSlot second = floors.ask_for(1, kOnDemand);
  floors.market.begin_dispatch(kPool);
  REQUIRE(floors.market.decide());
  const Outcome refused = floors.only_outcome();
  CHECK(refused.kind == Kind::refused);
  CHECK(refused.job == first);
  floors.lives.requests.expire_all(second);  // whoever heard that changed its mind
  CHECK_FALSE(floors.market.decide());
  CHECK(floors.outcomes().empty());
}

TEST_CASE("Spot leases make room for a stronger class, and for no other", "[rooms]") {
  Asked floors{all_classes(4)};
  const JobSlot weak = floors.ask_for(4, kSpot);
  REQUIRE(floors.serve(kPool).at(0).kind == Kind::granted);
  floors.ask_for(2, kSpot);
  CHECK(floors.serve(kPool).at(0).kind == Kind::refused);
  floors.ask_for(2, kFlex);
  CHECK(floors.serve(kPool).at(0).kind == Kind::granted);
  CHECK(floors.lease(floors.job(weak).lease).ending.leaving);
}

TEST_CASE("Where free room gathers for the head of the queue, others have what is beyond it", "[rooms]") {
  WorldBuilder make = all_classes(4);
  const bool holds = GENERATE(true, false);
  make.world.pools[0].hold_for_head = holds;
  Asked floors{make};
  floors.ask_for(1, kOnDemand);
  REQUIRE(floors.serve(kPool).size() == 1);
  floors.ask_for(4, kFlex);
  floors.ask_for(1, kFlex);
  CHECK(floors.market.room_at_once(floors.pool(kPool), LeaseClass::on_demand) == GpuCount{holds ? -1 : 3});
  CHECK(floors.market.room_at_once(floors.pool(kPool), LeaseClass::reserved) == GpuCount{3});
  floors.ask_for(1, kOnDemand);
  const std::vector<Outcome> heard = floors.serve(kPool);
  CHECK(heard.at(0).kind == (holds ? Kind::refused : Kind::granted));
  CHECK(heard.size() == (holds ? 1 : 2));  // the second in the queue
}

TEST_CASE("Room is what an at-once request would be granted", "[rooms]") {
  Asked floors{all_classes(4)};
  const JobSlot job = floors.add_job({.gpus = 4});
  const Leg& leg = floors.world.strategies[0].legs[kOnDemand];
  CHECK(floors.market.has_room(floors.candidate(job, kOnDemand), leg));
  floors.ask_for(1, kOnDemand);
  (void)floors.serve(kPool);
  CHECK_FALSE(floors.market.has_room(floors.candidate(job, kOnDemand), leg));
}

TEST_CASE("Held pools have their turns first, in pool order", "[rooms]") {
  WorldBuilder make = all_classes(8);
  const PoolId first = make.held(kPool, 2);
  const PoolId second = make.held(kPool, 2);
  const PoolId booked = make.held(kPool, 2);
  Asked floors{make};
  floors.pool(kPool).claims.to_create = {second, first};
  floors.pool(kPool).claims.gathering = {booked};
  floors.ask_for(1, kReserved);
  const std::vector<Outcome> heard = floors.serve(kPool);
  REQUIRE(heard.size() == 4);
  CHECK(heard[0].kind == Kind::gathers);
  CHECK(heard[0].pool == kPool);
  CHECK(heard[1].kind == Kind::turn);
  CHECK(heard[1].pool == first);
  CHECK(heard[2].pool == second);
  CHECK(heard[3].kind == Kind::granted);
  CHECK(floors.pool(kPool).claims.to_create.empty());
}

TEST_CASE("A held pool gets its machines from its parent pool, all or none", "[rooms]") {
  WorldBuilder make = all_classes(4);
  const PoolId held = make.held(kPool, 4);
  const std::uint8_t leg = GENERATE(as<std::uint8_t>{}, kSpot, kOnDemand);
  Asked floors{make};
  const JobSlot there = floors.ask_for(1, leg);
  (void)floors.serve(kPool);
  const LeaseSlot lease =
      floors.market.lease_machines(held, floors.world.held[0], MachineCount{4}, LeaseClass::reserved);
  ClassTotals& reserved = floors.pool(kPool).of_class(LeaseClass::reserved);
  CHECK(reserved.requests == 1);
  if (leg == kOnDemand) {
    CHECK(lease == kNoLease);
    CHECK(reserved.refusals == 1);
    CHECK(floors.outcomes().empty());
    return;
  }
  CHECK(floors.lease(lease).gpus == GpuCount{4});
  CHECK(floors.lease(lease).holder.pool == held);
  CHECK(floors.lease(floors.job(there).lease).ending.leaving);
  CHECK(floors.outcomes().empty());  // the spot lease is on them until its end
  floors.lives.ends.play_release(floors.next(Phase::releases));
  const std::vector<Outcome> heard = floors.outcomes();
  REQUIRE(heard.size() == 2);
  CHECK(heard[0].kind == Kind::machines_free);
  CHECK(heard[0].pool == held);
  CHECK(heard[1].kind == Kind::preempted);
}

TEST_CASE("A partial lease takes what is free as it gathers, and too few disband it", "[rooms]") {
  WorldBuilder make = all_classes(4);
  World world = make.build();
  world.strategies[0].legs[kSpot].partial = Partial{.gather = 20s, .interval = 10s};
  world.strategies[0].legs[kSpot].candidates[2][0].least = 4;
  UpToMarket floors{world};
  const JobSlot strong = floors.add_job({.work = 1h, .gpus = 2});
  const LeaseSlot stronger = floors.start_lease(strong, kOnDemand);
  const JobSlot job = floors.add_job({.work = 1h, .gpus = 4});
  floors.ask(job, kSpot);
  REQUIRE(floors.serve(kPool).at(0).kind == Kind::granted);
  const LeaseSlot lease = floors.job(job).lease;
  CHECK(floors.lease(lease).gpus == GpuCount{2});
  const bool has_room_later = GENERATE(true, false);
  if (has_room_later) {
    floors.lives.leases.give_up(stronger);
    floors.lives.ends.play_release(floors.next(Phase::releases));
    (void)floors.outcomes();
  }
  for (int i = 0; i < 2 && floors.lease(lease).times.up == kNever && !floors.lease(lease).ending.leaving;
       ++i) {
    floors.lives.leases.gather(floors.next(Phase::timers).job());
    CHECK(floors.serve(kPool).empty());
  }
  CHECK(floors.now() == kStart + (has_room_later ? 10s : 20s));
  CHECK(floors.lease(lease).ending.leaving == !has_room_later);
  CHECK(floors.lease(lease).gpus == GpuCount{has_room_later ? 4 : 2});
}
