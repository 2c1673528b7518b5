// Gangs that are placed in several pools: what each place gives, and which leases belong together.

#include <catch2/catch.hpp>

#include "models/simulation/lives/spreads.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

World two_zones(std::int64_t first, std::int64_t second) {
  WorldBuilder make;
  const PoolId a = make.pool(first);
  const PoolId b = make.pool(second);
  make.shape(3);
  make.leg({.policy = spot(), .places = {a, b}, .spread = Spread::any});
  return make.build();
}

std::vector<std::int64_t> machines(const std::vector<Candidate>& shares) {
  std::vector<std::int64_t> counts;
  for (const Candidate& share : shares) counts.push_back(share.machines());
  return counts;
}

}  // namespace

TEST_CASE("What a gang gets in each place follows from the room there", "[rooms]") {
  UpToLives floors{two_zones(2, 3)};
  const RequestSlot asked = floors.ask(floors.add_job({.work = 10s, .gpus = 3}));
  const auto shares_with = [&](std::int64_t a, std::int64_t b) {
    const auto room = [&](const PoolState& pool) {
      return GpuCount{&pool == &floors.pool(PoolId{0}) ? a : b};
    };
    return floors.lives.spreads.shares_of(floors.ground.tables.requests[asked], room);
  };
  CHECK(machines(shares_with(2, 3)) == std::vector<std::int64_t>{3});
  CHECK(shares_with(2, 3).front().pool == PoolId{1});
  CHECK(machines(shares_with(1, 2)) == std::vector<std::int64_t>{1, 2});
  CHECK(shares_with(1, 2)[1].gpus == GpuCount{2});
  CHECK(shares_with(1, 1).empty());
  CHECK(shares_with(-4, 2).empty());  // a pool may be over-full
}

TEST_CASE("Leases of a gang are numbered through, start as one, and follow the first", "[rooms]") {
  UpToLives floors{two_zones(2, 3)};
  Spreads& spreads = floors.lives.spreads;
  const JobSlot job = floors.add_job({.work = 10s, .gpus = 3});
  const RequestSlot asked = floors.ask(job);
  const SpreadSlot gang =
      spreads.add(spreads.shares_of(floors.ground.tables.requests[asked], [&](const PoolState& pool) {
        return GpuCount{&pool == &floors.pool(PoolId{0}) ? 1 : 2};
      }));
  for (const Candidate& share : spreads.shares(gang)) {
    const LeaseSlot entered = floors.known.books.grant({.job = job,
                                                        .pool = share.pool,
                                                        .lease_class = LeaseClass::spot,
                                                        .gpus = share.gpus,
                                                        .asked = {.candidate = &share},
                                                        .times = {.granted = floors.now()}});
    spreads.join(gang, entered);
  }
  const LeaseSlot first = spreads.leases(gang)[0];
  const LeaseSlot second = spreads.leases(gang)[1];
  CHECK(floors.lease(first).asked.first_machine == 0);
  CHECK(floors.lease(second).asked.first_machine == 1);
  CHECK(spreads.machines(gang) == 3);
  CHECK(spreads.gpus_used(gang) == GpuCount{3});
  CHECK_FALSE(spreads.note_started(gang, kStart + 9s));
  CHECK(spreads.note_started(gang, kStart + 7s));
  CHECK(spreads.up_of(floors.lease(second)) == kStart + 9s);
  floors.lease(first).times.working = kStart + 20s;
  floors.lease(first).ending.interrupted = Interruption::preempted;
  spreads.follow_leader(gang);
  CHECK(floors.lease(second).times.working == kStart + 20s);
  CHECK(floors.lease(second).ending.interrupted == Interruption::preempted);
}
